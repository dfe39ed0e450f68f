import type { Sort, TimeRange } from "#contract/limits.ts";
import type { AdminVideoSort } from "#contract/videos/admin-videos.ts";
import type { ValueKind } from "./cursor.ts";

export interface ListOrder {
  sort: Sort;
  timeRange?: TimeRange | undefined;
}

/** Columns of `videos` that lists of visitors are sorted by. Each has an index of listed videos. */
type ListedColumn = "published_at" | "views" | "rating" | "trend";

interface SortRule {
  column: ListedColumn;
  /** What admins see instead: drafts have no publication time. */
  adminColumn?: "created_at";
  /** How cursors hold the value. */
  cursor: ValueKind;
  /**
   * The count that the list is sorted by inside a time range: views, or weighted engagement. `all` is
   * the most viewed ever. Null for lists that ignore the range.
   */
  rangedBy: "views" | "engagement" | null;
}

/** One rule for each sort of the public lists. A new sort needs its rule here, and an index. */
export const sortRules: Readonly<Record<Sort, SortRule>> = {
  newest: {
    column: "published_at",
    adminColumn: "created_at",
    cursor: "time",
    rangedBy: null,
  },
  most_viewed: { column: "views", cursor: "count", rangedBy: "views" },
  top_rated: { column: "rating", cursor: "score", rangedBy: null },
  trending: { column: "trend", cursor: "score", rangedBy: "engagement" },
};

/** The value that a list is sorted by; ties are sorted by id, in the same direction. */
export interface SortKey {
  /**
   * `videos`: a column of videos itself. `scores`: one of video_range_scores, which holds sums over
   * the last 24, 168 or 720 hours.
   */
  table: "videos" | "scores";
  /** A column, or `size` and `lower_title` for computed values. */
  column: string;
  isDescending: boolean;
  /** How cursors hold the value; null for lists that are paged by offset only. */
  kind: ValueKind | null;
}

/** A key whose value cursors hold; its lists are descending. */
export interface CursorKey extends SortKey {
  kind: ValueKind;
}

export function sortKey({ sort, timeRange }: ListOrder, isPublic: boolean): CursorKey {
  const { column, adminColumn = column, cursor, rangedBy } = sortRules[sort];
  const isDescending = true;
  if (rangedBy === null || timeRange === undefined) {
    const own = isPublic ? column : adminColumn;
    return { table: "videos", column: own, isDescending, kind: cursor };
  }
  if (timeRange === "all") return { table: "videos", column: "views", isDescending, kind: "count" };
  return { table: "scores", column: `${rangedBy}_${timeRange}`, isDescending, kind: "count" };
}

const adminColumns: Record<AdminVideoSort, string> = {
  created: "created_at",
  title: "lower_title",
  views: "views",
  likes: "likes",
  duration: "duration_s",
  size: "size",
};

export function adminSortKey(sort: AdminVideoSort, order: "asc" | "desc"): SortKey {
  const isDescending = order === "desc";
  return { table: "videos", column: adminColumns[sort], isDescending, kind: null };
}
