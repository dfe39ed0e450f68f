import { sql } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";
import { sortKey, type ListOrder } from "./list-order.ts";

export interface RankRow {
  /** How many stand before it, counted up to `most`. */
  ahead: number;
  /** Hours before the windows of ranges end, and what was counted in the window asked for. */
  views: number;
  completed: number;
  likes: number;
}

/** Where a listed video stands, along the same index as the list itself. */
export async function readRank(
  db: DbOrTrx,
  videoId: string,
  order: ListOrder,
  hours: number | null,
  most: number,
): Promise<RankRow> {
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
    hours === null
      ? sql`select views, completed, likes from videos where id = ${videoId}`
      : sql`select coalesce(sum(views), 0)::float8 as views,
          coalesce(sum(completed), 0)::float8 as completed, coalesce(sum(likes), 0)::float8 as likes
          from video_stats_hourly, ranking_window w
          where video_id = ${videoId} and video_stats_hourly.hour > w.hour - make_interval(hours => ${hours})`;
  const { rows } = await sql<RankRow>`
    select (
      select count(*) from (
        select from (${source}) listed where (listed.key, listed.id) > (${own}) limit ${most}
      ) before
    ) as ahead, counted.* from (${counted}) counted`.execute(db);
  return rows[0] ?? { ahead: most, views: 0, completed: 0, likes: 0 };
}
