import {
  reportReasons,
  similarReason,
  takedownGrounds,
  type Report,
  type ReportAction,
  type ReportOutcome,
  type ReportReason,
  type ReportState,
  type TakedownGround,
} from "#contract/visitors/reports.ts";

export const reportMessages = {
  title: "Reports",
  note: (open: number) => (open === 1 ? "1 open report" : `${open} open reports`),
  commentsNote: (open: number) =>
    open === 1 ? "1 comment to review" : `${open} comments to review`,
  loadFailed: "Failed to load the reports",
  noComments: "No comments to review.",
  unassigned: "Unassigned",
  kindNames: { report: "Report", takedown: "Takedown notice", comment: "Comment" },
  others: (count: number) =>
    count === 1 ? "1 more unresolved report" : `${count} more unresolved reports`,
  commentBy: (name: string | null) =>
    name === null ? "An anonymous comment" : `A comment by ${name}`,
  askToDelete: "Delete this report with its notes and its sender's address? You can't undo this.",
  askToErase:
    "This video was already deleted. Delete it for good, even if it's in the trash? This resolves all reports about it.",
  commentStates: { held: "Waiting for approval", shown: "Shown", removed: "Removed" },
} as const;

export const stateNames: Record<ReportState, string> = {
  open: "Open",
  in_review: "In review",
  resolved: "Resolved",
};

export const outcomeNames: Record<ReportOutcome, string> = {
  dismissed: "Dismissed",
  unpublished: "Unpublished",
  removed: "Removed",
  blocked: "Removed and blocked",
};

/** Button label of each action, and the question that confirms it. */
export const actionTexts: Record<ReportAction, { label: string; ask: string | null }> = {
  dismiss: { label: "Dismiss", ask: null },
  unpublish: {
    label: "Unpublish video",
    ask: "Unpublish this video? It becomes a draft and all reports about it are resolved.",
  },
  remove: {
    label: "Remove video",
    ask: "Remove this video and its files? All reports about it are resolved.",
  },
  block: {
    label: "Remove and block file",
    ask: "Remove this video and block its file from being uploaded again? All reports about it are resolved.",
  },
};

const reasons: Record<ReportReason, string> = {
  illegal: "Illegal",
  children: "Child in danger",
  privacy: "Shown without consent",
  violence: "Violence or hatred",
  misleading: "Spam or misleading",
  other: "Something else",
};

const grounds: Record<TakedownGround, string> = {
  copyright: "Copyright",
  trademark: "Trademark",
  personality: "Image or privacy",
  court: "Court order",
  law: "Other law",
};

export function reasonText({ reason }: Report): string {
  if (reason === "held") return "Waiting for approval";
  if (reason === similarReason) return "Similar to a blocked file";
  const known = reportReasons.find((each) => each === reason);
  if (known !== undefined) return reasons[known];
  const ground = takedownGrounds.find((each) => each === reason);
  return ground === undefined ? reason : grounds[ground];
}
