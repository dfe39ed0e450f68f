import type { Report } from "#contract/visitors/reports.ts";
import type { ShownReport } from "./reports.repository.ts";

/** Presents a report. Only users who handle reports see how to reach its sender. */
export function presentReport(row: ShownReport, { canHandle }: { canHandle: boolean }): Report {
  const { assignedTo, assigneeEmail, assigneeName } = row;
  const { commentName, commentText, commentState } = row;
  const hasAssignee = assignedTo !== null && assigneeEmail !== null;
  return {
    id: row.id,
    kind: row.kind,
    reason: row.reason,
    text: row.text,
    email: canHandle ? row.email : null,
    notice: canHandle ? row.notice : null,
    state: row.state,
    outcome: row.outcome,
    assignee: hasAssignee
      ? { id: assignedTo, email: assigneeEmail, name: assigneeName ?? "" }
      : null,
    video: {
      id: row.videoId,
      slug: row.currentSlug ?? row.videoSlug,
      title: row.currentTitle ?? row.videoTitle,
      isRemoved: row.currentSlug === null,
      isPublished: row.isPublished === true,
    },
    comment:
      commentText === null || commentState === null
        ? null
        : { name: commentName, text: commentText, state: commentState },
    others: row.others,
    noteCount: row.noteCount,
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
