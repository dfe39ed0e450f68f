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
  emptyHint: "Visitors report videos on their pages and in the feed.",
  noCommentsHint: "Comments held for approval and reported comments appear here.",
  emptyFilter: "No report matches these filters.",
  state: "State",
  kind: "Kind",
  assigned: "Assigned",
  unresolved: "Unresolved",
  allStates: "All states",
  allKinds: "Reports, notices and comments",
  anyone: "Assigned to anyone",
  me: "Assigned to me",
  unassigned: "Not assigned",
  kindNames: { report: "Report", takedown: "Takedown notice", comment: "Comment" },
  review: (title: string) => `Open the report of ${title}`,
  others: (count: number) =>
    count === 1 ? "1 more unresolved report" : `${count} more unresolved reports`,
  noText: "No text was given.",
  similarTo: "The pictures match these blocked files:",
  commentBy: (name: string | null) =>
    name === null ? "A comment without a name" : `A comment by ${name}`,
  commentGone: "The comment is deleted.",
  commentStates: { held: "Waits for approval", shown: "Shown", removed: "Removed" },
  approve: "Show comment",
  removeComment: "Remove comment",
  held: "Waits for approval",
  similar: "Similar to a blocked file",
  sender: "Sender",
  noSender: "No address was given.",
  hiddenSender: "Only those who decide on reports see the sender.",
  signed: "Signed",
  video: "Video",
  isRemoved: "Removed",
  draft: "Draft",
  published: "Published",
  notes: "Notes",
  noteHint: "Only the back office sees notes.",
  addNote: "Add note",
  noteFailed: "Failed to add the note",
  assignee: "Assignee",
  take: "Review it",
  reopen: "Open again",
  changeFailed: "Failed to change the report",
  actionFailed: "Failed to decide on the report",
  dismissAll: "Dismiss all of this video",
  close: "Close",
  resolved: "The report is resolved",
  blockedFiles: "Blocked files",
  blockedIntro:
    "Uploads of these files are refused. Uploads with the same pictures are reported to you.",
  noBlockedFiles: "No file is blocked.",
  allow: "Allow again",
  allowed: "The file may be uploaded again",
  allowFailed: "Failed to allow the file",
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

/** The button, the question, and the word that agrees. */
export const actionTexts: Record<ReportAction, { label: string; ask: string | null }> = {
  dismiss: { label: "Dismiss", ask: null },
  unpublish: {
    label: "Unpublish video",
    ask: "Unpublish the video? It becomes a draft, and all its reports are resolved.",
  },
  remove: {
    label: "Remove video",
    ask: "Remove the video and its files? All its reports are resolved.",
  },
  block: {
    label: "Remove and block file",
    ask: "Remove the video, and refuse its file from now on? All its reports are resolved.",
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
  court: "Order of a court",
  law: "Another law",
};

export function reasonText({ reason }: Pick<Report, "reason">): string {
  if (reason === "held") return reportMessages.held;
  if (reason === similarReason) return reportMessages.similar;
  const known = reportReasons.find((each) => each === reason);
  if (known !== undefined) return reasons[known];
  const ground = takedownGrounds.find((each) => each === reason);
  return ground === undefined ? reason : grounds[ground];
}
