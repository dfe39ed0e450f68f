import { sql } from "kysely";
import type { LikeStatus } from "../../../contract/videos.ts";
import type { Db, Trx } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import {
  addTrend,
  engagementWeight,
  eventScore,
  recomputeTrend,
  subtractTrend,
} from "./engagement.ts";

export interface LikesService {
  status(videoId: string, visitorId: string | null): Promise<LikeStatus>;
  /** Likes, or withdraws the like. Two calls in a race never drift the count. */
  toggle(videoId: string, visitorId: string): Promise<LikeStatus>;
  setFavorite(videoId: string, visitorId: string, isFavorite: boolean): Promise<void>;
  isFavorite(videoId: string, visitorId: string | null): Promise<boolean>;
}

export function createLikesService(deps: { db: Db; clock: Clock }): LikesService {
  const { db, clock } = deps;

  /** A like that is withdrawn leaves the hour in which it was given: sums of hours never lie. */
  async function addToHour(trx: Trx, videoId: string, change: 1 | -1, at: Date): Promise<void> {
    const hour = sql<Date>`date_trunc('hour', ${at}::timestamptz, 'UTC')`;
    await sql`
      insert into video_stats_hourly as s (video_id, hour, likes) values (${videoId}, ${hour}, ${change})
      on conflict (video_id, hour) do update set likes = s.likes + excluded.likes`.execute(trx);
    await sql`
      insert into site_stats_hourly as s (hour, likes) values (${hour}, ${change})
      on conflict (hour) do update set likes = s.likes + excluded.likes`.execute(trx);
  }

  return {
    async status(videoId, visitorId) {
      const row = await db
        .selectFrom("videos")
        .select((eb) => [
          "likes",
          visitorId === null
            ? sql<boolean>`false`.as("liked")
            : eb
                .exists(
                  eb
                    .selectFrom("likes as l")
                    .select("l.video_id")
                    .where("l.video_id", "=", videoId)
                    .where("l.visitor_id", "=", visitorId),
                )
                .as("liked"),
        ])
        .where("id", "=", videoId)
        .executeTakeFirstOrThrow();
      return { liked: Boolean(row.liked), likesCount: row.likes };
    },

    toggle(videoId, visitorId) {
      return db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto("likes")
          .values({ video_id: videoId, visitor_id: visitorId, created_at: clock.date() })
          .onConflict((conflict) => conflict.doNothing())
          .returning("created_at")
          .executeTakeFirst();
        const removed =
          inserted === undefined
            ? await trx
                .deleteFrom("likes")
                .where("video_id", "=", videoId)
                .where("visitor_id", "=", visitorId)
                .returning("created_at")
                .executeTakeFirst()
            : undefined;
        const event = inserted ?? removed;
        if (event === undefined) {
          // Another toggle of the same visitor withdrew it between our two statements.
          const row = await trx
            .selectFrom("videos")
            .select("likes")
            .where("id", "=", videoId)
            .executeTakeFirstOrThrow();
          return { liked: false, likesCount: row.likes };
        }
        const isLiked = inserted !== undefined;
        const score = sql<number>`${String(
          eventScore(engagementWeight.like, event.created_at.getTime()),
        )}`;
        const row = await trx
          .updateTable("videos")
          .set({
            likes: isLiked ? sql<number>`likes + 1` : sql<number>`likes - 1`,
            trend: isLiked ? addTrend(score) : subtractTrend(score),
          })
          .where("id", "=", videoId)
          .returning(["likes", "trend"])
          .executeTakeFirstOrThrow();
        await addToHour(trx, videoId, isLiked ? 1 : -1, event.created_at);
        if (!isLiked && row.trend === -Infinity) await recomputeTrend(trx, videoId);
        return { liked: isLiked, likesCount: row.likes };
      });
    },

    async setFavorite(videoId, visitorId, isFavorite) {
      if (isFavorite) {
        await db
          .insertInto("favorites")
          .values({ video_id: videoId, visitor_id: visitorId })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      } else {
        await db
          .deleteFrom("favorites")
          .where("video_id", "=", videoId)
          .where("visitor_id", "=", visitorId)
          .execute();
      }
    },

    async isFavorite(videoId, visitorId) {
      if (visitorId === null) return false;
      const row = await db
        .selectFrom("favorites")
        .select("video_id")
        .where("video_id", "=", videoId)
        .where("visitor_id", "=", visitorId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
