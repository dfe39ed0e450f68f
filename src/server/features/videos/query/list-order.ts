import { z } from "zod";
import type { Sort, TimeRange } from "#contract/limits.ts";
import type { AdminVideoSort } from "#contract/videos/admin-videos.ts";
import { isInstant } from "#contract/text-formats.ts";
import { AppError } from "#server/lib/app-error.ts";

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

/**
 * Position after the last item of a page: the sort value and the id that breaks ties. For lists by
 * relevance, it is the number of items before it. Opaque to clients.
 */
const position = z.union([
  z.object({ list: z.string(), value: z.string().max(40), id: z.uuid() }),
  z.object({ list: z.string(), offset: z.number().int().min(0).max(100_000) }),
]);
type CursorPosition = z.infer<typeof position>;

/** Format of a cursor's value. It is exact, so that comparisons lose no precision. */
export type ValueKind = "time" | "count" | "score";
const valuePatterns: Record<ValueKind, RegExp> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  count: /^-?\d{1,18}$/,
  score: /^(-Infinity|-?\d{1,20}(\.\d{1,20})?(e-?\d{1,2})?)$/,
};

export function encodeCursor(at: CursorPosition): string {
  return Buffer.from(JSON.stringify(at)).toString("base64url");
}

/**
 * @param list name of the list that the cursor must belong to.
 * @throws AppError invalid unless this server issued it for this list.
 */
export function decodeCursor(text: string, list: string, kind: ValueKind): CursorPosition {
  const at = parse(text);
  if (at !== null && at.list === list && (!("value" in at) || isValue(at.value, kind))) return at;
  throw new AppError("invalid", "The cursor isn't valid for this list.", {
    issues: [{ path: "cursor", message: "isn't valid for this list" }],
  });
}

function isValue(value: string, kind: ValueKind): boolean {
  if (!valuePatterns[kind].test(value)) return false;
  // JavaScript reads 30 February as 1 March. PostgreSQL rejects it, and also the year 0.
  return (
    kind !== "time" ||
    (isInstant(value) && new Date(value).toISOString().startsWith(value.slice(0, 19)))
  );
}

function parse(text: string): CursorPosition | null {
  try {
    return position.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return null;
  }
}

export type ShortRange = Exclude<TimeRange, "all">;

/** Length of each range in hours. All ranges end with the current hour of the ranking window. */
export const rangeHours: Record<ShortRange, number> = { today: 24, week: 168, month: 720 };
