/** What the order of the feed depends on, per video. Ads and money are not part of it. */
export interface Candidate {
  id: string;
  publishedAtMs: number;
  durationS: number;
  /** Plays started so far: how well the video is known. */
  impressions: number;
  /** Sum and number of rewards (0 to 1 each), both decayed with the half-life of rewards. */
  rewardSum: number;
  rewardCount: number;
  actorIds: readonly string[];
}

/** Mean reward per duration bucket: what to expect of an unknown video of that length. */
export type BucketMeans = readonly number[];

/** Upper ends of the duration buckets in seconds; a last one is open. */
export const bucketEndsS = [15, 30, 60, 180, 600, 1800] as const;

/** What one play of a video earns; the sums of rewards are computed in SQL from these numbers. */
export const reward = {
  /** A play that ends before this earns nothing, unless it was complete. Seconds. */
  skippedBelowS: 2,
  /** Added for a like; a reward is at most 1. */
  likeBonus: 0.2,
  /** After this time a reward counts half as much. */
  halfLifeDays: 14,
  /** Older plays do not count. */
  windowDays: 90,
} as const;

const priorStrength = 20;
const exploreBelowImpressions = 100;
/** Positions 5, 10, 15... are for videos with few impressions. */
const exploreEvery = 5;
const freshnessBonus = 0.3;
export const maxFreshness = 1 + freshnessBonus;
const freshnessHalfLifeMs = 72 * 3600 * 1000;
/** How many items ahead a video of another actor is searched. */
export const lookAhead = 50;

export function bucketOf(durationS: number): number {
  const index = bucketEndsS.findIndex((end) => durationS < end);
  return index < 0 ? bucketEndsS.length : index;
}

/** 1 + 0.3 * 2^(-age / 72 h). */
export function freshness(ageMs: number): number {
  return 1 + freshnessBonus * 2 ** (-Math.max(0, ageMs) / freshnessHalfLifeMs);
}

/**
 * What is believed of the mean reward of a video: Beta(alpha, beta), which is the mean of its duration
 * bucket with the strength of 20 plays, and its own rewards.
 */
export function posteriorOf(
  candidate: Candidate,
  means: BucketMeans,
): { alpha: number; beta: number } {
  const mean = Math.min(0.99, Math.max(0.01, means[bucketOf(candidate.durationS)] ?? 0.5));
  return {
    alpha: priorStrength * mean + candidate.rewardSum,
    beta: priorStrength * (1 - mean) + Math.max(0, candidate.rewardCount - candidate.rewardSum),
  };
}

/** Whether a video has so few impressions that some positions are for such videos. */
export const isLittleKnown = ({ impressions }: Candidate): boolean =>
  impressions < exploreBelowImpressions;

/** Whether this position, counted from 1, is for a little known video while there are any. */
export const isForLittleKnown = (position: number): boolean => position % exploreEvery === 0;

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
