import { countOf } from "#web/lib/format/english-counts.ts";

/** Texts of Manage Videos. */
export const videoMessages = {
  title: "Manage Videos",
  total: (count: number) => `Total: ${countOf(count, "video")}`,
  upload: "Upload Video",
  searchPlaceholder: "Search videos...",
  empty: "No videos found.",
  emptySearch: "Try adjusting your search.",
  emptyFirst: "Upload your first video!",
  emptyFilter: "No videos match these filters.",
  published: "Published",
  draft: "Draft",
  premium: "Premium",
  visibility: { public: "Public", unlisted: "Unlisted", private: "Private" },
  askPublish: (title: string) => `Are you sure you want to publish "${title}"?`,
  askUnpublish: (title: string) => `Are you sure you want to unpublish "${title}"?`,
  askDelete: (title: string) =>
    `Are you sure you want to delete "${title}"? This action cannot be undone.`,
  deleted: "Video deleted successfully",
  deleteFailed: "Failed to delete video",
  updated: "Video updated successfully",
  updateFailed: "Failed to update video",
} as const;
