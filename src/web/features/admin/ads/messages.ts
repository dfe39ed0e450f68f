/** Texts of the page; those that the specification fixes come first. */
export const adMessages = {
  empty: "No ads found",
  loading: "Loading ads...",
  confirmDelete: "Are you sure you want to delete this ad?",
  fetchFailed: "Failed to fetch ads",
  saveFailed: "Failed to save ad",
  deleteFailed: "Failed to delete ad",

  title: "Advertisements",
  total: (count: number) => `Total: ${count.toLocaleString()} ${count === 1 ? "ad" : "ads"}`,
  add: "Add Advertisement",
  edit: "Edit Advertisement",
  test: "Test a VAST tag",
  emptyHint: "Try other filters.",
  emptyFirst: "Create the first one to show it in a page, a video or the feed.",
  trustWarning:
    "Scripts of this ad will run as part of your pages: they can read what visitors see and act in their name, yours included. Choose this only for code that you wrote or checked. The choice is written to the audit log.",
  confirmTrust:
    "Let the scripts of this ad run in your pages? They can act in the name of every visitor, administrators included.",
} as const;

export const typeLabels = { banner: "Banner", video: "Video", popup: "Popup" } as const;
export const placementLabels = {
  header: "Header",
  sidebar: "Sidebar",
  footer: "Footer",
  preroll: "Pre-roll",
  midroll: "Mid-roll",
  postroll: "Post-roll",
  feed: "Feed",
} as const;

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

export const typeOptions = optionsOf(typeLabels);
export const placementOptions = optionsOf(placementLabels);
