export const auditMessages = {
  title: "Audit log",
  note: "Who changed what and when, with the values before and after",
  empty: "No entries found.",
  emptyFilter: "No entries match these filters.",
  loadFailed: "Failed to load the audit log",
  more: "Load more",
  loading: "Loading...",
  before: "Before",
  after: "After",
  details: "Details",
} as const;
