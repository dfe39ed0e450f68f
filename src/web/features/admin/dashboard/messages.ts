/** Texts of the dashboard. */
export const dashboardMessages = {
  title: "Dashboard",
  failed: "Failed to load dashboard stats",
  recent: "Recent Videos",
  none: "No videos found",
  retry: "Try Again",
  statisticsFailed: "Couldn't load the statistics.",
  systemFailed: "Couldn't load the queue and storage.",
  top: "Top Videos",
  noPlays: "No plays in this period.",
  queue: "Processing",
  idle: "Nothing is being processed.",
  storage: "Storage",
} as const;
