import { countOf } from "#web/lib/format/english-counts.ts";

export const trashMessages = {
  title: "Trash",
  note: (count: number, size: string) => `${countOf(count, "video")}, ${size}`,
  hint: (days: number) =>
    days === 0
      ? "Deleted videos are removed immediately. You can change this in Settings."
      : `You can restore a deleted video for ${countOf(days, "day")}. After that, its files are deleted.`,
  empty: "The trash is empty.",
  loadFailed: "Failed to load the trash",
  restore: "Restore",
  restored: (title: string) => `Restored "${title}"`,
  restoreFailed: "Failed to restore video",
  erase: "Delete forever",
  askErase: (title: string) =>
    `Are you sure you want to delete "${title}" and its files forever? This action cannot be undone.`,
  eraseFailed: "Failed to delete video",
} as const;
