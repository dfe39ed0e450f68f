import { sql } from "kysely";
import type { DbOrTrx, Trx } from "../../db/connection.ts";
import { addTrend, subtractTrend } from "./trend.repository.ts";

/** @param visitorId null for a visitor without a cookie. */
export async function readLikeStatus(
  db: DbOrTrx,
  videoId: string,
  visitorId: string | null,
): Promise<{ likes: number; isLiked: boolean }> {
  const { rows } = await sql<{ likes: number; isLiked: boolean }>`
    select likes, exists (
      select from likes l where l.video_id = ${videoId} and l.visitor_id = ${visitorId}
    ) as "isLiked"
    from videos where id = ${videoId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error(`video ${videoId} is gone`);
  return row;
}

/** Inserts the like. Null where it exists. */
export async function insertLike(
  trx: Trx,
  like: { videoId: string; visitorId: string; at: Date },
): Promise<Date | null> {
  const row = await trx
    .insertInto("likes")
    .values({ video_id: like.videoId, visitor_id: like.visitorId, created_at: like.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("created_at")
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/** Deletes the like and returns when it was given. Null where there is none. */
export async function deleteLike(
  trx: Trx,
  videoId: string,
  visitorId: string,
): Promise<Date | null> {
  const row = await trx
    .deleteFrom("likes")
    .where("video_id", "=", videoId)
    .where("visitor_id", "=", visitorId)
    .returning("created_at")
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/**
 * Counts a like that was given at this time, or takes it back: in the totals, and in the hour in
 * which it was given, so that the hours always add up to the totals.
 * @param event.score the like's `eventScore`.
 */
export async function countLike(
  trx: Trx,
  event: { videoId: string; change: 1 | -1; score: number; at: Date },
): Promise<{ likes: number; trend: number }> {
  const { videoId, change, at } = event;
  // As text: a parameter keeps every digit.
  const score = sql<number>`${String(event.score)}`;
  const row = await trx
    .updateTable("videos")
    .set({
      likes: sql<number>`likes + ${sql.lit(change)}`,
      trend: change === 1 ? addTrend(score) : subtractTrend(score),
    })
    .where("id", "=", videoId)
    .returning(["likes", "trend"])
    .executeTakeFirstOrThrow();
  const hour = sql<Date>`date_trunc('hour', ${at}::timestamptz, 'UTC')`;
  await sql`
    insert into video_stats_hourly as s (video_id, hour, likes) values (${videoId}, ${hour}, ${change})
    on conflict (video_id, hour) do update set likes = s.likes + excluded.likes`.execute(trx);
  await sql`
    insert into site_stats_hourly as s (hour, likes) values (${hour}, ${change})
    on conflict (hour) do update set likes = s.likes + excluded.likes`.execute(trx);
  return row;
}
