/** What one visitor's play of a video earns it in the For You feed; docs/ranking.md gives the reasons. */
export const reward = {
  /** A play that ends before this earns nothing, unless it was complete. Seconds. */
  skippedBelowS: 2,
  /** Added for a like. */
  likeBonus: 0.2,
  /** After this time a reward counts half as much. */
  halfLifeDays: 14,
  /** Of more plays the older ones count less, so that a video that turns bad falls soon. */
  playsMax: 100,
  /** How much a play of a visitor counts who has played no other video. */
  singleVideoWeight: 0.1,
} as const;

/** Sums are kept as of this moment, in forward decay. A double holds the factor for 39 years. */
const rewardEpochMs = Date.UTC(2026, 0, 1);

/**
 * Rewards of a video, decayed: their weighted sum, and the sum of the weights. Likes may lift the first
 * above the second; readers take the smaller of both.
 */
export interface RewardSums {
  sum: number;
  count: number;
}

/** The watched fraction, at most 1; 0 for a skipped play. */
export function rewardOf(
  { watchTimeS, isCompleted }: { watchTimeS: number; isCompleted: boolean },
  durationS: number,
): number {
  if (isCompleted) return 1;
  if (watchTimeS < reward.skippedBelowS || durationS <= 0) return 0;
  return Math.min(1, watchTimeS / durationS);
}

/** The factor of forward decay at this time (Cormode et al. 2009). */
export function rewardScale(atMs: number): number {
  return 2 ** ((atMs - rewardEpochMs) / (reward.halfLifeDays * 86_400_000));
}

/** Adds to sums in forward decay. Where they hold too many plays for now, all are scaled down. */
export function addRewards(kept: RewardSums, added: RewardSums, nowMs: number): RewardSums {
  const count = Math.max(0, kept.count + added.count);
  const share = Math.min(1, (reward.playsMax * rewardScale(nowMs)) / count || 1);
  return {
    sum: Math.max(0, kept.sum + added.sum) * share,
    count: count * share,
  };
}

/** What one visitor has done with one video, as far as it is rewarded. */
interface RewardedPlay {
  /** 0 for a play that cannot be true. */
  weight: number;
  countedAtMs: number;
  watchTimeS: number;
  isCompleted: boolean;
  likedAtMs: number | null;
}

/** What a play adds to the sums of its video, in forward decay. */
export function rewardSumsOf(play: RewardedPlay, durationS: number): RewardSums {
  const count = play.weight * rewardScale(play.countedAtMs);
  const liked = play.likedAtMs === null ? 0 : likeReward(play.weight, play.likedAtMs);
  return { sum: count * rewardOf(play, durationS) + liked, count };
}

/** What a like adds to the sum of a video that its visitor has played. */
export function likeReward(weight: number, likedAtMs: number): number {
  return weight * reward.likeBonus * rewardScale(likedAtMs);
}
