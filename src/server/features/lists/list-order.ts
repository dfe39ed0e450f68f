import { sql, type RawBuilder } from "kysely";
import type { Sort, TimeRange } from "../../../contract/limits.ts";
import type { ValueKind } from "./cursor.ts";

export interface ListOrder {
  sort: Sort;
  timeRange?: TimeRange | undefined;
}

/**
 * What a list is sorted by, highest first; ties end on the id. `videos`: a column of videos itself.
 * `scores`: one of video_range_scores, where sums over the last 24, 168 or 720 hours are kept.
 */
export interface SortKey {
  table: "videos" | "scores";
  column: string;
  kind: ValueKind;
}

/**
 * - most_viewed: views, inside the range where one is given.
 * - trending: decayed engagement; with a range the plain weighted engagement inside it, all hours
 *   of it alike; `all` is most viewed ever.
 * - newest and top_rated know no range.
 */
export function sortKey(order: ListOrder, isPublic: boolean): SortKey {
  const { sort, timeRange } = order;
  if (sort === "newest") {
    return { table: "videos", column: isPublic ? "published_at" : "created_at", kind: "time" };
  }
  if (sort === "top_rated") return { table: "videos", column: "rating", kind: "score" };
  if (timeRange === undefined || timeRange === "all") {
    const isDecayed = sort === "trending" && timeRange === undefined;
    return isDecayed
      ? { table: "videos", column: "trend", kind: "score" }
      : { table: "videos", column: "views", kind: "count" };
  }
  const what = sort === "trending" ? "engagement" : "views";
  return { table: "scores", column: `${what}_${timeRange}`, kind: "count" };
}

/** A key as it stands in a cursor; no digit of it is lost. */
export function keyText(key: RawBuilder<unknown>, kind: ValueKind): RawBuilder<string> {
  return kind === "time"
    ? sql<string>`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql<string>`(${key})::text`;
}

/** "after this place", for a list that is sorted by `key` and `id`, both descending. */
export function isAfter(
  key: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  kind: ValueKind,
  place: { value: string; id: string } | undefined,
): RawBuilder<unknown> {
  if (place === undefined) return sql`true`;
  const type = { time: sql`timestamptz`, count: sql`bigint`, score: sql`float8` }[kind];
  return sql`(${key}, ${id}) < (${place.value}::${type}, ${place.id}::uuid)`;
}
