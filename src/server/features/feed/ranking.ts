/** What the order of the feed depends on, per video. Ads and money are not part of it. */
export interface Candidate {
  id: string;
  publishedAtMs: number;
  durationS: number;
  /** Plays started so far: how well the video is known. */
  impressions: number;
  /** Sum and weight of rewards (0 to 1 each), both decayed with the half-life of rewards. */
  rewardSum: number;
  rewardCount: number;
  actorIds: readonly string[];
}

/** Mean reward per duration bucket: what to expect of an unknown video of that length. */
export type BucketMeans = readonly number[];

/** Upper ends of the duration buckets in seconds; a last one is open. */
const bucketEndsS = [15, 30, 60, 180, 600, 1800] as const;

/** Constants of the feed. `npm run bench -- ranking` compares them with others. */
interface FeedTuning {
  /** An unknown video is believed to be as good as its bucket, with the strength of so many plays. */
  priorPlays: number;
  /** A watched fraction varies less than a yes or no: a play counts as so many of these. */
  evidencePerPlay: number;
  /** A video counts for at most so many plays in the mean of its bucket. */
  meanPlaysMax: number;
  /** Added to 1 for a new video; halves every 72 hours. */
  freshnessBonus: number;
}

export const feedTuning: FeedTuning = {
  priorPlays: 12,
  evidencePerPlay: 4,
  meanPlaysMax: 5,
  freshnessBonus: 0.15,
};

const freshnessHalfLifeMs = 72 * 3600 * 1000;
/** A newcomer is this young and has fewer plays than this. */
export const newcomer = { maxAgeMs: 24 * 3600 * 1000, playsBelow: 100 } as const;
/** Positions 5, 10, 15... are for newcomers. */
const newcomerEvery = 5;
/** How many items ahead a video of another actor is searched. */
export const lookAhead = 50;

export function bucketOf(durationS: number): number {
  const index = bucketEndsS.findIndex((end) => durationS < end);
  return index < 0 ? bucketEndsS.length : index;
}

/** 1 + bonus * 2^(-age / 72 h). */
export function freshness(ageMs: number, { freshnessBonus } = feedTuning): number {
  return 1 + freshnessBonus * 2 ** (-Math.max(0, ageMs) / freshnessHalfLifeMs);
}

/**
 * The mean reward of each duration bucket. A video counts for a few plays at most: otherwise the mean
 * is that of the best videos, which get most plays, and too much is expected of an unknown one.
 */
export function bucketMeansOf(
  candidates: readonly Candidate[],
  { meanPlaysMax } = feedTuning,
): BucketMeans {
  // Two plays with a reward of 1/2 each keep the mean of a small bucket away from 0 and 1.
  const sums = Array.from({ length: bucketEndsS.length + 1 }, () => ({ sum: 1, count: 2 }));
  for (const { durationS, rewardSum, rewardCount } of candidates) {
    const bucket = sums[bucketOf(durationS)];
    if (bucket === undefined || rewardCount <= 0) continue;
    const count = Math.min(rewardCount, meanPlaysMax);
    bucket.sum += (Math.min(rewardSum, rewardCount) * count) / rewardCount;
    bucket.count += count;
  }
  return sums.map(({ sum, count }) => sum / count);
}

const expectedOf = (means: BucketMeans, durationS: number): number =>
  Math.min(0.99, Math.max(0.01, means[bucketOf(durationS)] ?? 0.5));

/**
 * What is believed of the mean reward of a video: Beta(alpha, beta), which is the mean of its duration
 * bucket with the strength of some plays, and its own rewards.
 */
export function posteriorOf(
  candidate: Candidate,
  means: BucketMeans,
  { priorPlays, evidencePerPlay } = feedTuning,
): { alpha: number; beta: number } {
  const mean = expectedOf(means, candidate.durationS);
  const earned = Math.min(candidate.rewardSum, candidate.rewardCount);
  return {
    alpha: evidencePerPlay * (priorPlays * mean + earned),
    beta: evidencePerPlay * (priorPlays * (1 - mean) + candidate.rewardCount - earned),
  };
}

/**
 * What the odds of a reward are divided by, so that 1/2 is what is usual for the length: short videos
 * are watched to the end more often than long ones.
 */
export function usualOddsOf(candidate: Candidate, means: BucketMeans): number {
  const mean = expectedOf(means, candidate.durationS);
  return mean / (1 - mean);
}

/** Whether some positions are for this video because too little is known of it yet. */
export const isNewcomer = ({ impressions, publishedAtMs }: Candidate, nowMs: number): boolean =>
  impressions < newcomer.playsBelow && nowMs - publishedAtMs < newcomer.maxAgeMs;

/** Whether this position, counted from 1, is for a newcomer while there are any. */
export const isForNewcomer = (position: number): boolean => position % newcomerEvery === 0;

function sharesActor(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => b.includes(id));
}

/** Items of which those before `head` are taken: a splice would move all others each time. */
export interface Queue<T> {
  items: ArrayLike<T> & { copyWithin(target: number, start: number, end: number): unknown };
  head: number;
}

/** Takes the first item that shares no actor with the one before, if there is one within reach. */
export function takeNext<T>(
  queue: Queue<T>,
  before: readonly string[],
  actorsOf: (item: T) => readonly string[],
): T | undefined {
  const { items, head } = queue;
  const end = Math.min(items.length, head + lookAhead);
  let at = head;
  for (; at < end; at += 1) {
    const item = items[at];
    if (item !== undefined && !sharesActor(actorsOf(item), before)) break;
  }
  if (at === end) at = head;
  const taken = items[at];
  // Those that it overtakes keep their order.
  if (at > head) items.copyWithin(head + 1, head, at);
  queue.head += 1;
  return taken;
}

/** Keeps the order as far as it can without the same actor twice in a row. */
export function separateActors<T extends { actorIds: readonly string[] }>(
  items: readonly T[],
  before: readonly string[],
): T[] {
  const queue = { items: [...items], head: 0 };
  const result: T[] = [];
  let last = before;
  for (;;) {
    const next = takeNext(queue, last, ({ actorIds }) => actorIds);
    if (next === undefined) return result;
    result.push(next);
    last = next.actorIds;
  }
}
