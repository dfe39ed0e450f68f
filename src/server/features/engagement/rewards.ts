/**
 * Rewards of one visitor's play of a video in the For You feed. See docs/ranking.md for the
 * reasons.
 */
export const reward = {
  /** Play time in seconds below which an incomplete play earns nothing. */
  skippedBelowS: 2,
  /** Bonus for a like. */
  likeBonus: 0.2,
  /** Half-life of a reward. */
  halfLifeDays: 14,
  /**
   * Maximum weight of plays. Above it, older plays count less, so that a video that turns bad falls
   * soon.
   */
  playsMax: 100,
} as const;

/** Reference time of the sums, in forward decay. A double holds the factor for 39 years. */
const rewardEpochMs = Date.UTC(2026, 0, 1);

/**
 * Decayed rewards of a video: their weighted sum, and the sum of the weights. Likes can raise the
 * first above the second. Readers use the smaller one.
 */
export interface RewardSums {
  sum: number;
  count: number;
}

/** Returns the watched fraction, at most 1; 0 for a skipped play. */
export function playReward(
  { watchTimeS, isCompleted }: { watchTimeS: number; isCompleted: boolean },
  durationS: number,
): number {
  if (isCompleted) return 1;
  if (watchTimeS < reward.skippedBelowS || durationS <= 0) return 0;
  return Math.min(1, watchTimeS / durationS);
}

/** Returns the factor of forward decay at this time (Cormode et al. 2009). */
export function rewardScale(atMs: number): number {
  return 2 ** ((atMs - rewardEpochMs) / (reward.halfLifeDays * 86_400_000));
}

/** Adds to sums in forward decay. Scales everything down if they exceed `playsMax`. */
export function addRewards(kept: RewardSums, added: RewardSums, nowMs: number): RewardSums {
  const count = Math.max(0, kept.count + added.count);
  const share = Math.min(1, (reward.playsMax * rewardScale(nowMs)) / count || 1);
  return {
    sum: Math.max(0, kept.sum + added.sum) * share,
    count: count * share,
  };
}

/** Rewarded actions of one visitor on one video. */
interface RewardedPlay {
  /** See `playWeight`; 0 for an implausible play. */
  weight: number;
  countedAtMs: number;
  watchTimeS: number;
  isCompleted: boolean;
  likedAtMs: number | null;
}

/** Returns what a play adds to its video's sums, in forward decay. */
export function playRewardSums(play: RewardedPlay, durationS: number): RewardSums {
  const count = play.weight * rewardScale(play.countedAtMs);
  const liked = play.likedAtMs === null ? 0 : likeReward(play.weight, play.likedAtMs);
  return { sum: count * playReward(play, durationS) + liked, count };
}

/** Returns what a like adds to the sum of a video that its visitor has played. */
export function likeReward(weight: number, likedAtMs: number): number {
  return weight * reward.likeBonus * rewardScale(likedAtMs);
}
