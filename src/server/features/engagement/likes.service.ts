import type { LikeStatus } from "#contract/videos/marks.ts";
import { isRowError, type Db, type Trx } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import { addScores, engagementWeight, eventScore } from "./engagement.ts";
import * as favorites from "./favorites.repository.ts";
import * as repository from "./likes.repository.ts";
import { readAddressCounts } from "./address-counts.repository.ts";
import { isRankedInGroup } from "./play-weight.ts";
import { likeReward } from "./rewards.ts";
import { recomputeTrend } from "./trend.repository.ts";

interface Toggle extends repository.LikeKey {
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  viewer?: Viewer;
}

export function createLikesService(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;

  const commit = createGroupCommit<Toggle, LikeStatus | null>({
    keyOf: (like) => `${like.visitorId} ${like.videoId}`,
    isItemError: isRowError,
    write: (likes) => db.transaction().execute((trx) => toggleAll(trx, likes, clock.date())),
  });

  return {
    async status(videoId: string, visitorId: string | null): Promise<LikeStatus> {
      const { likes, isLiked } = await repository.readLikeStatus(db, videoId, visitorId);
      return { liked: isLiked, likesCount: likes };
    },

    /**
     * Adds the like or withdraws it. The count stays correct even with concurrent calls. Returns
     * null if the viewer may not see the video.
     */
    toggle: (like: Toggle): Promise<LikeStatus | null> => commit.submit(like),

    setFavorite: (videoId: string, visitorId: string, isFavorite: boolean): Promise<void> =>
      isFavorite
        ? favorites.insertFavorite(db, videoId, visitorId)
        : favorites.deleteFavorite(db, videoId, visitorId),

    isFavorite: async (videoId: string, visitorId: string | null): Promise<boolean> =>
      visitorId !== null && (await favorites.isFavorite(db, videoId, visitorId)),

    /** Resolves when all toggles so far are written. */
    drain: (): Promise<void> => commit.drain(),
  };
}

export type LikesService = ReturnType<typeof createLikesService>;

/** @returns the status after the whole batch; null if the viewer may not see the video. */
async function toggleAll(
  trx: Trx,
  likes: readonly Toggle[],
  now: Date,
): Promise<(LikeStatus | null)[]> {
  const videoIds = [...new Set(likes.map((like) => like.videoId))];
  const isListedById = await repository.lockLikedVideos(trx, videoIds);
  const isVisible = ({ videoId, viewer }: Toggle) =>
    viewer?.isAdmin === true ? isListedById.has(videoId) : isListedById.get(videoId) === true;
  const visible = likes.filter(isVisible);
  const toggled = await repository.toggleLikes(trx, visible, now);
  const plays = await repository.readLikedPlays(trx, toggled);
  const groups = new Map(visible.map((like) => [repository.keyOf(like), like.addressGroup]));
  const added = toggled.filter(({ isGiven }) => isGiven);
  const ranked = await chooseRanked(
    trx,
    added
      .filter((like) => plays.get(repository.keyOf(like))?.isEngaged === true)
      .map((like) => ({ ...like, addressGroup: groups.get(repository.keyOf(like)) ?? "" })),
    now,
  );
  const changes = toggled.map((like) =>
    like.isGiven ? { ...like, isRanked: ranked.has(repository.keyOf(like)) } : like,
  );
  await repository.setRanked(
    trx,
    changes.filter(({ isGiven, isRanked }) => isGiven && !isRanked),
    false,
  );
  const weightOf = (like: repository.LikeKey) => plays.get(repository.keyOf(like))?.weight ?? 0;
  const byVideo = sumByVideo(changes, weightOf);
  const rows = await repository.addLikeTotals(trx, byVideo);
  await repository.countRankedLikes(trx, changes);
  await repository.countSiteLikes(trx, changes);
  for (const { id, trend } of rows) {
    const isTaken = (byVideo.get(id)?.takenScore ?? -Infinity) > -Infinity;
    if (isTaken && trend === -Infinity) await recomputeTrend(trx, id);
  }
  const counts = new Map(rows.map((row) => [row.id, row.likes]));
  const isLiked = new Set(added.map(repository.keyOf));
  return likes.map((like) => {
    const likesCount = counts.get(like.videoId);
    if (likesCount === undefined || !isVisible(like)) return null;
    return { liked: isLiked.has(repository.keyOf(like)), likesCount };
  });
}

interface EngagedLike extends repository.LikeKey {
  addressGroup: string;
}

/** Returns which of these likes count in rankings, by `keyOf`. The visitors are engaged. */
async function chooseRanked(
  trx: Trx,
  likes: readonly EngagedLike[],
  now: Date,
): Promise<Set<string>> {
  const counts = await readAddressCounts(trx, "likes", likes);
  const ranked = likes.filter((like) => isRankedInGroup(counts.take(like)));
  await counts.write(now);
  return new Set(ranked.map(repository.keyOf));
}

/** Counts earlier likes in rankings if their visitors have now really watched the video. */
export async function rankEarlierLikes(
  trx: Trx,
  likes: readonly (EngagedLike & { at: Date })[],
  now: Date,
): Promise<void> {
  const chosen = await chooseRanked(trx, likes, now);
  const changes = likes
    .filter((like) => chosen.has(repository.keyOf(like)))
    .map((like) => ({ ...like, isGiven: true, isRanked: true }));
  await repository.setRanked(trx, changes, true);
  const byVideo = new Map<string, repository.LikeTotals>();
  for (const { videoId, at } of changes) {
    const totals = byVideo.get(videoId) ?? noTotals();
    totals.unranked -= 1;
    totals.addedScore = addScores(totals.addedScore, likeScore(at));
    byVideo.set(videoId, totals);
  }
  await repository.addLikeTotals(trx, byVideo);
  await repository.countRankedLikes(trx, changes);
}

const noTotals = (): repository.LikeTotals => ({
  likes: 0,
  unranked: 0,
  addedScore: -Infinity,
  takenScore: -Infinity,
  reward: 0,
});

const likeScore = (at: Date) => eventScore(engagementWeight.like, at.getTime());

function sumByVideo(
  changes: readonly repository.LikeChange[],
  weightOf: (like: repository.LikeKey) => number,
): Map<string, repository.LikeTotals> {
  const byVideo = new Map<string, repository.LikeTotals>();
  for (const change of changes) {
    const { videoId, isGiven, isRanked, at } = change;
    const totals = byVideo.get(videoId) ?? noTotals();
    const sign = isGiven ? 1 : -1;
    totals.likes += sign;
    totals.unranked += isRanked ? 0 : sign;
    totals.reward += sign * likeReward(weightOf(change), at.getTime());
    const score = isRanked ? likeScore(at) : -Infinity;
    if (isGiven) totals.addedScore = addScores(totals.addedScore, score);
    else totals.takenScore = addScores(totals.takenScore, score);
    byVideo.set(videoId, totals);
  }
  return byVideo;
}
