import type { LikeStatus } from "#contract/videos/marks.ts";
import { mayBeOfOneRow, type Db, type Trx } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/viewer.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import { addScores, engagementWeight, eventScore } from "./engagement.ts";
import * as favorites from "./favorites.repository.ts";
import * as repository from "./likes.repository.ts";
import { likeReward } from "./rewards.ts";
import { recomputeTrend } from "./trend.repository.ts";

export interface LikesService {
  status(videoId: string, visitorId: string | null): Promise<LikeStatus>;
  /**
   * Likes the video or withdraws the like. Concurrent calls never make the count drift. Returns
   * null if the viewer may not see the video.
   */
  toggle(videoId: string, visitorId: string, viewer?: Viewer): Promise<LikeStatus | null>;
  setFavorite(videoId: string, visitorId: string, isFavorite: boolean): Promise<void>;
  isFavorite(videoId: string, visitorId: string | null): Promise<boolean>;
  /** Resolves when all toggles so far are written. */
  drain(): Promise<void>;
}

interface Toggle extends repository.LikeKey {
  viewer: Viewer;
}

export function createLikesService(deps: { db: Db; clock: Clock }): LikesService {
  const { db, clock } = deps;

  const commit = createGroupCommit<Toggle, LikeStatus | null>({
    keyOf: (like) => `${like.visitorId} ${like.videoId}`,
    mayBeOfOne: mayBeOfOneRow,
    write: (likes) => db.transaction().execute((trx) => toggleAll(trx, likes, clock.date())),
  });

  return {
    async status(videoId, visitorId) {
      const { likes, isLiked } = await repository.readLikeStatus(db, videoId, visitorId);
      return { liked: isLiked, likesCount: likes };
    },

    toggle: (videoId, visitorId, viewer = { isAdmin: false }) =>
      commit.submit({ videoId, visitorId, viewer }),

    setFavorite: (videoId, visitorId, isFavorite) =>
      isFavorite
        ? favorites.insertFavorite(db, videoId, visitorId)
        : favorites.deleteFavorite(db, videoId, visitorId),

    isFavorite: async (videoId, visitorId) =>
      visitorId !== null && (await favorites.isFavorite(db, videoId, visitorId)),

    drain: () => commit.drain(),
  };
}

/** @returns the status after the whole batch; null if the viewer may not see the video. */
async function toggleAll(
  trx: Trx,
  likes: readonly Toggle[],
  now: Date,
): Promise<(LikeStatus | null)[]> {
  const videoIds = [...new Set(likes.map((like) => like.videoId))];
  const known = await repository.lockLikedVideos(trx, videoIds);
  const isVisible = ({ videoId, viewer }: Toggle) =>
    viewer.isAdmin ? known.has(videoId) : known.get(videoId) === true;
  const changes = await repository.toggleLikes(trx, likes.filter(isVisible), now);
  const weights = await repository.readPlayWeights(trx, changes);
  const byVideo = sumByVideo(changes, weights);
  const rows = byVideo.size === 0 ? [] : await repository.countLikes(trx, byVideo, changes);
  for (const { id, trend } of rows) {
    const isTaken = (byVideo.get(id)?.takenScore ?? -Infinity) > -Infinity;
    if (isTaken && trend === -Infinity) await recomputeTrend(trx, id);
  }
  const counts = new Map(rows.map((row) => [row.id, row.likes]));
  const given = new Set(
    changes.filter(({ isGiven }) => isGiven).map((like) => `${like.visitorId} ${like.videoId}`),
  );
  return likes.map((like) => {
    const likesCount = counts.get(like.videoId);
    if (likesCount === undefined || !isVisible(like)) return null;
    return { liked: given.has(`${like.visitorId} ${like.videoId}`), likesCount };
  });
}

function sumByVideo(
  changes: readonly repository.LikeChange[],
  weights: ReadonlyMap<string, number>,
): Map<string, repository.LikeTotals> {
  const byVideo = new Map<string, repository.LikeTotals>();
  for (const change of changes) {
    const { videoId, isGiven, at } = change;
    const none = { likes: 0, addedScore: -Infinity, takenScore: -Infinity, reward: 0 };
    const totals = byVideo.get(videoId) ?? none;
    const score = eventScore(engagementWeight.like, at.getTime());
    const rewarded = likeReward(weights.get(repository.keyOf(change)) ?? 0, at.getTime());
    totals.likes += isGiven ? 1 : -1;
    totals.reward += isGiven ? rewarded : -rewarded;
    if (isGiven) totals.addedScore = addScores(totals.addedScore, score);
    else totals.takenScore = addScores(totals.takenScore, score);
    byVideo.set(videoId, totals);
  }
  return byVideo;
}
