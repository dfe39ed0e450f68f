import type { LikeStatus } from "../../../contract/marks.ts";
import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import { engagementWeight, eventScore } from "./engagement.ts";
import * as favorites from "./favorites.repository.ts";
import * as repository from "./likes.repository.ts";
import { recomputeTrend } from "./trend.repository.ts";

export interface LikesService {
  status(videoId: string, visitorId: string | null): Promise<LikeStatus>;
  /** Likes, or withdraws the like. Concurrent calls never make the count drift. */
  toggle(videoId: string, visitorId: string): Promise<LikeStatus>;
  setFavorite(videoId: string, visitorId: string, isFavorite: boolean): Promise<void>;
  isFavorite(videoId: string, visitorId: string | null): Promise<boolean>;
}

export function createLikesService(deps: { db: Db; clock: Clock }): LikesService {
  const { db, clock } = deps;

  return {
    async status(videoId, visitorId) {
      const { likes, isLiked } = await repository.readLikeStatus(db, videoId, visitorId);
      return { liked: isLiked, likesCount: likes };
    },

    toggle(videoId, visitorId) {
      return db.transaction().execute(async (trx) => {
        const like = { videoId, visitorId, at: clock.date() };
        const givenAt = await repository.insertLike(trx, like);
        const isLiked = givenAt !== null;
        const at = givenAt ?? (await repository.deleteLike(trx, videoId, visitorId));
        if (at === null) {
          // A concurrent toggle of the same visitor withdrew the like between the two statements.
          const { likes } = await repository.readLikeStatus(trx, videoId, visitorId);
          return { liked: false, likesCount: likes };
        }
        const score = eventScore(engagementWeight.like, at.getTime());
        const change = isLiked ? 1 : -1;
        const row = await repository.countLike(trx, { videoId, change, score, at });
        if (!isLiked && row.trend === -Infinity) await recomputeTrend(trx, videoId);
        return { liked: isLiked, likesCount: row.likes };
      });
    },

    setFavorite: (videoId, visitorId, isFavorite) =>
      isFavorite
        ? favorites.insertFavorite(db, videoId, visitorId)
        : favorites.deleteFavorite(db, videoId, visitorId),

    isFavorite: async (videoId, visitorId) =>
      visitorId !== null && (await favorites.isFavorite(db, videoId, visitorId)),
  };
}
