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
  comments: "Comments",
  note: (open: number) => (open === 1 ? "1 open report" : `${open} open reports`),
  commentsNote: (open: number) =>
    open === 1 ? "1 comment to review" : `${open} comments to review`,
  loadFailed: "Failed to load the reports",
  empty: "No reports found.",
  emptyHint:
    "Visitors can report videos from the video page and the feed. Decide on their reports here.",
  emptyExample:
    "A visitor reports a video that shows them without consent. You unpublish it, and the sender gets an email.",
  noComments: "No comments to review.",
  noCommentsHint: "Comments held for approval and reported comments appear here.",
  noCommentsExample:
    "A comment contains a word from your list. It stays hidden until you select Show comment.",
  openSafety: "Open the safety settings",
  emptyFilter: "No reports match these filters.",
  noCommentsFilter: "No comments match these filters.",
  state: "Status",
  kind: "Kind",
  assigned: "Assigned",
  unresolved: "Unresolved",
  allStates: "All statuses",
  allKinds: "Reports, notices and comments",
  anyone: "Assigned to anyone",
  me: "Assigned to me",
  unassigned: "Unassigned",
  kindNames: { report: "Report", takedown: "Takedown notice", comment: "Comment" },
  review: (title: string) => `Open the report about ${title}`,
  others: (count: number) =>
    count === 1 ? "1 more unresolved report" : `${count} more unresolved reports`,
  noText: "No details provided.",
  similarTo: "Frames of this video match these blocked files:",
  commentBy: (name: string | null) =>
    name === null ? "An anonymous comment" : `A comment by ${name}`,
  commentGone: "The comment was deleted.",
  commentStates: { held: "Waiting for approval", shown: "Shown", removed: "Removed" },
  approve: "Show comment",
  removeComment: "Remove comment",
  held: "Waiting for approval",
  similar: "Similar to a blocked file",
  sender: "Sender",
  noSender: "No email address provided.",
  hiddenSender: "Only users who handle reports can see the sender.",
  signed: "Signed",
  video: "Video",
  isRemoved: "Removed",
  draft: "Draft",
  published: "Published",
  notes: "Notes",
  noteHint: "Visible only in the back office.",
  addNote: "Add note",
  noteFailed: "Failed to add the note",
  assignee: "Assignee",
  take: "Start review",
  reopen: "Reopen",
  changeFailed: "Failed to change the report",
  actionFailed: "Failed to resolve the report",
  dismissAll: "Dismiss all reports about this video",
  close: "Close",
  resolved: "Report resolved",
  blockedFiles: "Blocked files",
  blockedIntro: "These files can't be uploaded again. Files are matched by content hash.",
  noBlockedFiles: "No blocked files.",
  blockedFailed: "Failed to load the blocked files",
  allow: "Unblock",
  allowed: "File unblocked",
  allowFailed: "Failed to unblock the file",
  done: "Done",
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

export function reasonText({ reason }: Pick<Report, "reason">): string {
  if (reason === "held") return reportMessages.held;
  if (reason === similarReason) return reportMessages.similar;
  const known = reportReasons.find((each) => each === reason);
  if (known !== undefined) return reasons[known];
  const ground = takedownGrounds.find((each) => each === reason);
  return ground === undefined ? reason : grounds[ground];
}
