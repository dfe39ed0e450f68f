import { useQuery, useMutation } from "@tanstack/react-query";
import { useState, useContext } from "react";
import {
  similarReason,
  reportTextMax,
  type ReportDetails,
  type ActionBody,
  type ReportAction,
  type ReportPatch,
} from "#contract/visitors/reports.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { TextAreaField, SelectField } from "#web/components/ui/field.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { sinceWords } from "../shared/moments.ts";
import { discardThen, useUnsaved } from "../shared/unsaved.ts";
import { QueryError, useCan, AdminUser } from "../shared/admin-page.tsx";
import {
  reportQuery,
  addNote,
  reportsKey,
  reportListsKey,
  actOnReport,
  assigneesQuery,
  changeReport,
  deleteReport,
} from "./calls.ts";
import { reasonText, reportMessages as messages, actionTexts } from "./messages.ts";
import { StateBadge } from "./report-columns.tsx";

/** Assigns, resolves and deletes a report. */
function ReportActions({ report, onClose }: { report: ReportDetails; onClose: () => void }) {
  const user = useContext(AdminUser);
  const users = useQuery(assigneesQuery);
  const changing = useMutation({
    mutationFn: (patch: ReportPatch) => changeReport(report.id, patch),
    meta: { failure: "Failed to change the report", refreshes: reportsKey },
  });
  const deciding = useMutation({
    mutationFn: (body: ActionBody) => actOnReport(report.id, body),
    meta: {
      success: "Report resolved",
      failure: "Failed to resolve the report",
      refreshes: reportsKey,
    },
  });
  const deleting = useMutation({
    mutationFn: () => deleteReport(report.id),
    onSuccess: onClose,
    meta: {
      success: "Report deleted",
      failure: "Failed to delete the report",
      refreshes: reportListsKey,
    },
  });
  const isBusy = changing.isPending || deciding.isPending || deleting.isPending;

  const decide = async (action: ReportAction, all = false) => {
    const { label, ...texts } = actionTexts[action];
    const isAgain = action === "remove" && report.video.isRemoved;
    const ask = isAgain ? messages.askToErase : texts.ask;
    // Comments need no confirmation, because they can be shown again.
    if (ask !== null && report.kind !== "comment" && !(await confirmAction(ask, label, "danger"))) {
      return;
    }
    deciding.mutate({ action, all });
  };
  const button = (action: ReportAction, label = actionTexts[action].label) => (
    <Button
      key={action}
      kind={action === "dismiss" || action === "unpublish" ? "quiet" : "danger"}
      disabled={isBusy}
      onClick={() => void decide(action)}
    >
      {label}
    </Button>
  );
  const hasComment = report.comment !== null;
  const { assignee } = report;
  // The assignee may have lost the permission to handle reports.
  const isListed = users.data?.some(({ id }) => id === assignee?.id);
  const assignees = [
    ...(users.data ?? []),
    ...(assignee === null || isListed === true ? [] : [assignee]),
  ];

  if (report.state === "resolved") {
    const label = "Delete report";
    const remove = async () => {
      if (await confirmAction(messages.askToDelete, label, "danger")) deleting.mutate();
    };
    return (
      <>
        <Button kind="danger" disabled={isBusy} onClick={() => void remove()}>
          {label}
        </Button>
        <Button disabled={isBusy} onClick={() => changing.mutate({ state: "open" })}>
          Reopen
        </Button>
      </>
    );
  }
  return (
    <>
      <SelectField
        label="Assignee"
        isLabelHidden
        className="me-auto max-w-full max-sm:w-full"
        value={assignee?.id ?? ""}
        disabled={isBusy || users.data === undefined}
        onChange={({ target }) => changing.mutate({ assigneeId: target.value || null })}
        options={[
          { value: "", label: messages.unassigned },
          ...assignees.map(({ id, email }) => ({ value: id, label: email })),
        ]}
      />
      {report.state === "open" ? (
        <Button
          disabled={isBusy}
          onClick={() => changing.mutate({ state: "in_review", assigneeId: user?.id })}
        >
          Start review
        </Button>
      ) : null}
      {hasComment ? (
        <>
          {button("dismiss", "Show comment")}
          {button("remove", "Remove comment")}
        </>
      ) : (
        button("dismiss")
      )}
      {report.others === 0 || hasComment ? null : (
        <Button disabled={isBusy} onClick={() => void decide("dismiss", true)}>
          Dismiss all reports about this video
        </Button>
      )}
      {report.kind === "comment" ? null : (
        <>
          {report.video.isPublished ? button("unpublish") : null}
          {button("remove")}
          {report.video.isRemoved ? null : button("block")}
        </>
      )}
    </>
  );
}

/** Notes by moderators for moderators. */
function ReportNotes({ report, canHandle }: { report: ReportDetails; canHandle: boolean }) {
  const [text, setText] = useState("");
  useUnsaved(text.trim() !== "");
  const adding = useMutation({
    mutationFn: () => addNote(report.id, text),
    meta: { failure: "Failed to add the note", refreshes: reportsKey },
  });
  return (
    <section aria-label="Notes" className="grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">Notes</h3>
      {report.notes.map((note) => (
        <div key={note.id} className="rounded-md bg-ink-2 px-3 py-2">
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {note.text}
          </p>
          <p className="mt-1 text-xs break-all text-ink-11">
            {note.author} · <time dateTime={note.createdAt}>{sinceWords(note.createdAt)}</time>
          </p>
        </div>
      ))}
      {canHandle ? (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === "" || adding.isPending) return;
            // Input typed during the request is preserved.
            adding.mutate(undefined, {
              onSuccess: () => setText((now) => (now === text ? "" : now)),
            });
          }}
        >
          <TextAreaField
            label="Add note"
            hint="Visible only in the back office."
            dir="auto"
            rows={2}
            maxLength={reportTextMax}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div>
            <Button type="submit" size="small" disabled={text.trim() === "" || adding.isPending}>
              Add note
            </Button>
          </div>
        </form>
      ) : null}
    </section>
  );
}

/** Dialog with one report, its sender, its notes and the possible decisions. */
export function ReportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const can = useCan();
  const { data: report, isLoadingError, isFetching, refetch } = useQuery(reportQuery(id));
  const canHandle = can("reports.handle");
  return (
    <Dialog
      onClose={() => discardThen(onClose)}
      size="large"
      title={report?.video.title ?? messages.title}
      footer={
        report === undefined || !canHandle ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <ReportActions report={report} onClose={onClose} />
        )
      }
    >
      {isLoadingError ? (
        <QueryError message={messages.loadFailed} query={{ refetch, isFetching }} />
      ) : report === undefined ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <div className="grid gap-5">
          <Facts report={report} />
          {report.kind === "comment" ? <ReportedComment report={report} /> : null}
          {report.reason === similarReason ? (
            <p>Frames of this video match these blocked files:</p>
          ) : null}
          {report.reason === "held" ? null : (
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {report.text === "" ? "No details provided." : report.text}
            </p>
          )}
          {report.reason === "held" || report.reason === similarReason ? null : (
            <Sender report={report} canHandle={canHandle} />
          )}
          <ReportNotes report={report} canHandle={canHandle} />
        </div>
      )}
    </Dialog>
  );
}

function ReportedComment({ report: { comment } }: { report: ReportDetails }) {
  if (comment === null) return <p className="text-ink-11">The comment was deleted.</p>;
  return (
    <blockquote className="border-s-2 border-line py-1 ps-4">
      <p className="flex flex-wrap gap-x-3 text-sm break-words text-ink-11">
        <bdi>{messages.commentBy(comment.name)}</bdi>
        <span>{messages.commentStates[comment.state]}</span>
      </p>
      <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
        {comment.text}
      </p>
    </blockquote>
  );
}

function Facts({ report }: { report: ReportDetails }) {
  const { video } = report;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-11">
      <StateBadge report={report} />
      <span>
        {messages.kindNames[report.kind]}: {reasonText(report)}
      </span>
      <time dateTime={report.createdAt}>{sinceWords(report.createdAt)}</time>
      {video.isRemoved ? (
        <Badge tone="danger">Removed</Badge>
      ) : (
        <a href={videoHref(video.slug)} target="_blank" rel="noreferrer" className="underline">
          Video: {video.isPublished ? "Published" : "Draft"}
        </a>
      )}
      {report.others === 0 ? null : <span>{messages.others(report.others)}</span>}
    </p>
  );
}

function Sender({ report, canHandle }: { report: ReportDetails; canHandle: boolean }) {
  const { notice, email } = report;
  return (
    <section aria-label="Sender" className="border-t border-line pt-4">
      <h3 className="mb-1 font-semibold">Sender</h3>
      {canHandle ? (
        <div className="break-words">
          {notice === null ? null : (
            <p dir="auto" className="whitespace-pre-wrap">
              {[notice.name, notice.organisation, notice.postalAddress]
                .filter((line) => line !== "")
                .join("\n")}
            </p>
          )}
          <p className="break-all">{email ?? "No email address provided."}</p>
          {notice === null ? null : (
            <p className="text-ink-11">
              Signed: <bdi>{notice.signature}</bdi>
            </p>
          )}
        </div>
      ) : (
        <p className="text-ink-11">Only users who handle reports can see the sender.</p>
      )}
    </section>
  );
}
