import { useMutation, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import type {
  ActionBody,
  ReportAction,
  ReportDetails,
  ReportPatch,
} from "#contract/visitors/reports.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { AdminUser } from "../shared/use-can.ts";
import { actOnReport, assigneesQuery, changeReport, reportsKey } from "./calls.ts";
import { actionTexts, reportMessages as messages } from "./messages.ts";

/** Assigns and resolves a report. */
export function ReportActions({ report }: { report: ReportDetails }) {
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
  const isBusy = changing.isPending || deciding.isPending;

  const decide = async (action: ReportAction, all = false) => {
    const { ask, label } = actionTexts[action];
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

  if (report.state === "resolved") {
    return (
      <Button disabled={isBusy} onClick={() => changing.mutate({ state: "open" })}>
        Reopen
      </Button>
    );
  }
  return (
    <>
      <SelectField
        label="Assignee"
        isLabelHidden
        className="me-auto max-w-full max-sm:w-full"
        value={report.assignee?.id ?? ""}
        disabled={isBusy || users.data === undefined}
        onChange={({ target }) => changing.mutate({ assigneeId: target.value || null })}
        options={[
          { value: "", label: messages.unassigned },
          ...(users.data ?? []).map(({ id, email }) => ({ value: id, label: email })),
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
      {report.video.isRemoved || report.kind === "comment" ? null : (
        <>
          {report.video.isPublished ? button("unpublish") : null}
          {button("remove")}
          {button("block")}
        </>
      )}
    </>
  );
}
