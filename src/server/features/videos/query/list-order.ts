import type { Sort, TimeRange } from "#contract/limits.ts";
import type { AdminVideoSort } from "#contract/videos/admin-videos.ts";
import type { ValueKind } from "./cursor.ts";

export interface ListOrder {
  sort: Sort;
  timeRange?: TimeRange | undefined;
}

/**
 * Columns of `videos` by which visitors' lists can be sorted. Each has an index of listed videos.
 */
type ListedColumn = "published_at" | "views" | "rating" | "trend";

interface SortRule {
  column: ListedColumn;
  /** Column to use for admins instead, because drafts have no publication time. */
  adminColumn?: "created_at";
  /** Format of the value in cursors. */
  cursor: ValueKind;
  /**
   * Count that sorts the list within a time range: views or weighted engagement. With the range
   * `all`, the list has the most viewed videos ever. Null for lists that ignore the range.
   */
  rangedBy: "views" | "engagement" | null;
}

/** Rules for the sorts of public lists. A new sort needs a rule here and an index. */
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

/** Value by which a list is sorted. Ties are sorted by id in the same direction. */
export interface SortKey {
  /**
   * `videos` is a column of that table. `scores` is a column of video_range_scores, which has sums
   * over the last 24, 168 or 720 hours.
   */
  table: "videos" | "scores";
  /** Column, or `size` and `lower_title` for computed values. */
  column: string;
  isDescending: boolean;
  /** Format of the value in cursors. Null for lists that are paged only by offset. */
  kind: ValueKind | null;
}

/** Sort key of a list with cursors. It is always descending. */
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
