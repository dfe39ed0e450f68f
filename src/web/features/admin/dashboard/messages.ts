/** Texts of the dashboard. */
export const dashboardMessages = {
  title: "Dashboard",
  failed: "Failed to load dashboard stats",
  recent: "Recent Videos",
  none: "No videos found",
  retry: "Try Again",
  statisticsFailed: "The statistics could not be loaded.",
  systemFailed: "The queue and the storage could not be read.",
  top: "Top Videos",
  noPlays: "Nothing was played in these days.",
  queue: "Processing",
  idle: "Nothing is being processed.",
  storage: "Storage",
} as const;
