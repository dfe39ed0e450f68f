export const auditMessages = {
  title: "Audit log",
  note: "Every admin action and sign-in: who, what, when, before and after",
  empty: "No entries found.",
  emptyFilter: "No entry matches these filters.",
  loadFailed: "Failed to load the audit log",
  more: "Load more",
  loading: "Loading...",
  before: "Before",
  after: "After",
  details: "Details",
} as const;
