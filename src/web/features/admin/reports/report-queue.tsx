import { useQuery, useMutation } from "@tanstack/react-query";
import { FlagIcon, MessageSquareIcon } from "lucide-react";
import { useState } from "react";
import { reportKinds, reportStates, type ReportKind } from "#contract/visitors/reports.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import type { PageModule } from "#web/lib/page/page-route.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { DataTable } from "../shared/data-table.tsx";
import { EmptyIntro } from "../shared/empty-intro.tsx";
import { FilterFold } from "../shared/search-field.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, countNote, QueryError, adminHandle, useCan } from "../shared/admin-page.tsx";
import { reportsQuery, allowFile, blockedFilesQuery, reportsKey } from "./calls.ts";
import { reportMessages as messages, stateNames } from "./messages.ts";
import { reportColumns } from "./report-columns.tsx";
import { ReportDialog } from "./report-dialog.tsx";

/** Lists files that can't be uploaded again. */
function BlockedFilesDialog({ onClose }: { onClose: () => void }) {
  const can = useCan();
  const list = useQuery(blockedFilesQuery);
  const allowing = useMutation({
    mutationFn: allowFile,
    meta: {
      success: "File unblocked",
      failure: "Failed to unblock the file",
      refreshes: reportsKey,
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title="Blocked files"
      description="These files can't be uploaded again. Files are matched by content hash."
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {list.isError ? <QueryError message="Failed to load the blocked files" query={list} /> : null}
      {list.data?.length === 0 ? <p className="text-ink-11">No blocked files.</p> : null}
      <ul className="divide-y divide-line">
        {list.data?.map((file) => (
          <li key={file.sha256} className="flex flex-wrap items-center gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">
                <bdi>{file.videoTitle}</bdi>
              </p>
              <p className="text-sm break-all text-ink-11">
                {formatFileSize(file.sizeBytes)} · {file.sha256.slice(0, 16)} · {file.blockedBy}
              </p>
            </div>
            {can("reports.handle") ? (
              <Button
                size="small"
                disabled={allowing.isPending}
                onClick={() => allowing.mutate(file.sha256)}
              >
                Unblock
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type Open = { kind: "report"; id: string } | { kind: "files" };

/** Returns the page with all reports, or with comments held for approval and reported comments. */
export function reportPage(kind?: ReportKind): PageModule {
  const title = kind === "comment" ? "Comments" : messages.title;
  return {
    handle: adminHandle(title),
    Component: () => <ReportQueue title={title} kind={kind} />,
  };
}

/** List of reports, optionally of one kind. */
function ReportQueue({ title, kind }: { title: string; kind?: ReportKind }) {
  const params = useListParams();
  const canEditSettings = useCan()("settings.edit");
  const state = params.get("state") || "unresolved";
  const filter = {
    state: state === "all" ? "" : state,
    kind: kind ?? params.get("kind"),
    assigned: params.get("assigned"),
  };
  const list = useQuery(reportsQuery(filter, params.page, params.pageSize));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const activeCount = [
    state !== "unresolved",
    kind === undefined && filter.kind !== "",
    filter.assigned !== "",
  ].filter(Boolean).length;

  return (
    <>
      <PageHeader
        title={title}
        note={countNote(list, ({ open: count }) =>
          kind === "comment" ? messages.commentsNote(count) : messages.note(count),
        )}
      >
        <Button onClick={() => setOpen({ kind: "files" })}>Blocked files</Button>
      </PageHeader>
      <div className="mb-3 flex flex-wrap gap-2">
        <FilterFold activeCount={activeCount}>
          <SelectField
            label="Status"
            isLabelHidden
            className="max-sm:w-full"
            value={state}
            onChange={({ target }) => params.set({ state: target.value })}
            options={[
              { value: "unresolved", label: "Unresolved" },
              ...reportStates.map((value) => ({ value, label: stateNames[value] })),
              { value: "all", label: "All statuses" },
            ]}
          />
          {kind === undefined ? (
            <SelectField
              label="Kind"
              isLabelHidden
              className="max-sm:w-full"
              value={filter.kind}
              onChange={({ target }) => params.set({ kind: target.value })}
              options={[
                { value: "", label: "Reports, notices and comments" },
                ...reportKinds.map((value) => ({ value, label: messages.kindNames[value] })),
              ]}
            />
          ) : null}
          <SelectField
            label="Assigned"
            isLabelHidden
            className="max-sm:w-full"
            value={filter.assigned}
            onChange={({ target }) => params.set({ assigned: target.value })}
            options={[
              { value: "", label: "Assigned to anyone" },
              { value: "me", label: "Assigned to me" },
              { value: "none", label: messages.unassigned },
            ]}
          />
        </FilterFold>
      </div>
      <DataTable
        query={list}
        failed={messages.loadFailed}
        label={title}
        columns={reportColumns(({ id }) => setOpen({ kind: "report", id }))}
        rows={list.data?.reports}
        rowId={({ id }) => id}
        empty={
          activeCount > 0 ? (
            <EmptyState title={kind === "comment" ? messages.noComments : "No reports found."}>
              {kind === "comment"
                ? "No comments match these filters."
                : "No reports match these filters."}
            </EmptyState>
          ) : (
            <EmptyIntro
              Icon={kind === "comment" ? MessageSquareIcon : FlagIcon}
              title={kind === "comment" ? messages.noComments : "No reports found."}
              text={
                kind === "comment"
                  ? "Comments held for approval and reported comments appear here."
                  : "Visitors can report videos from the video page and the feed. Decide on their reports here."
              }
              example={
                kind === "comment"
                  ? "A comment contains a word from your list. It stays hidden until you select Show comment."
                  : "A visitor reports a video that shows them without consent. You unpublish it, and the sender gets an email."
              }
              docs="docs/moderation.md"
            >
              {canEditSettings ? (
                <a href="/admin/safety" className={buttonClass({})}>
                  Open the safety settings
                </a>
              ) : null}
            </EmptyIntro>
          )
        }
      />
      <ListPages
        params={params}
        total={list.data?.total ?? 0}
        isStale={list.isPlaceholderData}
        noun={kind === "comment" ? "comments" : "reports"}
      />
      {open?.kind === "report" ? <ReportDialog id={open.id} onClose={close} /> : null}
      {open?.kind === "files" ? <BlockedFilesDialog onClose={close} /> : null}
    </>
  );
}
