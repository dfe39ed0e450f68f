import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { sortKey, type ListOrder } from "#server/features/videos/query/list-order.ts";

export interface RankRow {
  /** Number of listed videos ahead of it, counted up to `max`. */
  ahead: number;
  /** Views in the range, or of all time. */
  views: number;
  /** Views that don't count in Trending. */
  unrankedViews: number;
  completed: number;
  likes: number;
  engaged: number;
  publishedAt: Date;
  rating: number;
  trend: number;
}

/**
 * Returns the rank of a listed video, using the same index as the list. Returns null if it isn't
 * listed.
 * @param rangeHours hours for which views, completions and likes count; null for all time.
 */
export async function findRank(
  db: DbOrTrx,
  videoId: string,
  order: ListOrder,
  rangeHours: number | null,
  max: number,
): Promise<RankRow | null> {
  const { table, column } = sortKey(order, true);
  const key = sql.ref(column);
  const source =
    table === "videos"
      ? sql`select ${key} as key, id from videos where is_listed`
      : sql`select ${key} as key, video_id as id from video_range_scores where is_listed`;
  const own =
    table === "videos"
      ? sql`select ${key}, id from videos where id = ${videoId}`
      : sql`select ${key}, video_id from video_range_scores where video_id = ${videoId}`;
  const counted =
    rangeHours === null
      ? sql`select views, 0 as "unrankedViews", completed, likes - unranked_likes as likes from videos where id = ${videoId}`
      : sql`select coalesce(sum(views), 0)::float8 as views,
          coalesce(sum(unranked_views), 0)::float8 as "unrankedViews",
          coalesce(sum(completed), 0)::float8 as completed, coalesce(sum(likes), 0)::float8 as likes
          from video_stats_hourly s, ranking_window w
          where s.video_id = ${videoId} and s.hour > w.hour - make_interval(hours => ${rangeHours})`;
  const { rows } = await sql<RankRow>`
    select (
      select count(*) from (
        select from (${source}) listed where (listed.key, listed.id) > (${own}) limit ${max}
      ) before
    ) as ahead, counted.*, v.engaged, v.published_at as "publishedAt", v.rating, v.trend
    from (${counted}) counted, videos v where v.id = ${videoId} and v.is_listed`.execute(db);
  return rows[0] ?? null;
}
