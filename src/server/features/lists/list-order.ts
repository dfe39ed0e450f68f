import type { AdminVideoSort } from "#contract/videos/admin-videos.ts";
import type { Sort, TimeRange } from "#contract/limits.ts";
import type { ValueKind } from "./cursor.ts";

export interface ListOrder {
  sort: Sort;
  timeRange?: TimeRange | undefined;
}

/** What a list is sorted by; ties are sorted by id, in the same direction. */
export interface SortKey {
  /**
   * `videos`: a column of videos itself. `scores`: one of video_range_scores, which keeps sums over
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

/**
 * - most_viewed: views, inside the range where one is given.
 * - trending: decayed engagement; with a range the plain weighted engagement inside it, all hours
 *   alike; `all` is most viewed ever.
 * - newest and top_rated ignore the range.
 */
export function sortKey(order: ListOrder, isPublic: boolean): CursorKey {
  const { sort, timeRange } = order;
  const isDescending = true;
  if (sort === "newest") {
    const column = isPublic ? "published_at" : "created_at";
    return { table: "videos", column, isDescending, kind: "time" };
  }
  if (sort === "top_rated") {
    return { table: "videos", column: "rating", isDescending, kind: "score" };
  }
  if (timeRange === undefined || timeRange === "all") {
    const isDecayed = sort === "trending" && timeRange === undefined;
    return isDecayed
      ? { table: "videos", column: "trend", isDescending, kind: "score" }
      : { table: "videos", column: "views", isDescending, kind: "count" };
  }
  const what = sort === "trending" ? "engagement" : "views";
  return { table: "scores", column: `${what}_${timeRange}`, isDescending, kind: "count" };
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
