/** Data about each video that determines the feed's order. Ads and money have no influence. */
export interface Candidate {
  id: string;
  publishedAtMs: number;
  durationS: number;
  /** Number of plays started so far. */
  impressions: number;
  /** Sum and weight of rewards (0 to 1 each), both decayed with the rewards' half-life. */
  rewardSum: number;
  rewardCount: number;
  actorIds: readonly string[];
}

/** Mean reward per duration bucket. This is the expectation for an unknown video of that length. */
export type BucketMeans = readonly number[];

/** Upper ends of the duration buckets in seconds. The last bucket is open. */
const bucketEndsS = [15, 30, 60, 180, 600, 1800] as const;

/** Constants of the feed. `npm run bench -- ranking` measures their effect. */
const tuning = {
  /** Strength of the prior in plays. An unknown video is assumed to be as good as its bucket. */
  priorPlays: 12,
  /** How many Bernoulli trials a play is worth. A watched fraction varies less than a yes or no. */
  evidencePerPlay: 4,
  /** Maximum weight in plays of one video in the mean of its bucket. */
  meanPlaysMax: 5,
  /** Bonus added to 1 for a new video. Halves every 72 hours. */
  freshnessBonus: 0.15,
} as const;

const freshnessHalfLifeMs = 72 * 3600 * 1000;
/** Maximum age and number of plays of a newcomer. */
export const newcomer = { maxAgeMs: 24 * 3600 * 1000, playsBelow: 100 } as const;
/** Positions reserved for newcomers: every fifth. */
const newcomerEvery = 5;
/** Number of following items searched for a video with a different actor. */
const lookAhead = 50;

export function bucketOf(durationS: number): number {
  const index = bucketEndsS.findIndex((end) => durationS < end);
  return index < 0 ? bucketEndsS.length : index;
}

/** Returns 1 + bonus * 2^(-age / 72 h). */
export function freshness(ageMs: number): number {
  return 1 + tuning.freshnessBonus * 2 ** (-Math.max(0, ageMs) / freshnessHalfLifeMs);
}

/**
 * Returns the mean reward of each duration bucket. The weight of each video is limited. Otherwise
 * the mean would be that of the best videos, which get most plays, and unknown videos would be
 * overrated.
 */
export function computeBucketMeans(candidates: readonly Candidate[]): BucketMeans {
  // Two plays with a reward of 1/2 each keep the mean of a small bucket away from 0 and 1.
  const sums = Array.from({ length: bucketEndsS.length + 1 }, () => ({ sum: 1, count: 2 }));
  for (const { durationS, rewardSum, rewardCount } of candidates) {
    const bucket = sums[bucketOf(durationS)];
    if (bucket === undefined || rewardCount <= 0) continue;
    const count = Math.min(rewardCount, tuning.meanPlaysMax);
    bucket.sum += (Math.min(rewardSum, rewardCount) * count) / rewardCount;
    bucket.count += count;
  }
  return sums.map(({ sum, count }) => sum / count);
}

const expectedOf = (means: BucketMeans, durationS: number): number =>
  Math.min(0.99, Math.max(0.01, means[bucketOf(durationS)] ?? 0.5));

/**
 * Returns the posterior of a video's mean reward: Beta(alpha, beta), from its duration bucket as
 * the prior and its own rewards.
 */
export function rewardPosterior(
  candidate: Candidate,
  means: BucketMeans,
): { alpha: number; beta: number } {
  const { priorPlays, evidencePerPlay } = tuning;
  const mean = expectedOf(means, candidate.durationS);
  const earned = Math.min(candidate.rewardSum, candidate.rewardCount);
  return {
    alpha: evidencePerPlay * (priorPlays * mean + earned),
    beta: evidencePerPlay * (priorPlays * (1 - mean) + candidate.rewardCount - earned),
  };
}

/**
 * Returns the odds by which to divide a reward's odds, so that 1/2 is usual for the length. Short
 * videos are watched to the end more often than long ones.
 */
export function baselineOdds(candidate: Candidate, means: BucketMeans): number {
  const mean = expectedOf(means, candidate.durationS);
  return mean / (1 - mean);
}

/** Returns whether the video gets newcomer positions because too little is known about it. */
export const isNewcomer = ({ impressions, publishedAtMs }: Candidate, nowMs: number): boolean =>
  impressions < newcomer.playsBelow && nowMs - publishedAtMs < newcomer.maxAgeMs;

/** Returns whether this position, counted from 1, is for a video outside the visitor's taste. */
export const isExplorationPosition = (position: number): boolean => position % newcomerEvery === 3;

/** Returns whether this position, counted from 1, is for a newcomer while there are any. */
export const isNewcomerPosition = (position: number): boolean => position % newcomerEvery === 0;

function sharesActor(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => b.includes(id));
}

/**
 * Removes and returns the first item that shares no actor with the previous one, if one is within
 * reach. Otherwise the first item.
 */
export function takeNext<T extends { actorIds: readonly string[] }>(
  items: T[],
  before: readonly string[],
): T | undefined {
  const at = items.slice(0, lookAhead).findIndex(({ actorIds }) => !sharesActor(actorIds, before));
  return items.splice(Math.max(0, at), 1)[0];
}

/** Separates items with the same actor while preserving the order as far as possible. */
export function separateActors<T extends { actorIds: readonly string[] }>(
  items: readonly T[],
  before: readonly string[],
): T[] {
  const left = [...items];
  const result: T[] = [];
  let last = before;
  for (;;) {
    const next = takeNext(left, last);
    if (next === undefined) return result;
    result.push(next);
    last = next.actorIds;
  }
}

/**
 * Hashes a text to 32 bits with FNV-1a and the finaliser of MurmurHash3, so that similar texts
 * differ.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Mulberry32. For a given seed, it produces the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number between 0 and 1, excluding both. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 0x1_0000_0000;
  }
}

/** Box and Muller, "A note on the generation of random normal deviates" (1958). */
const sampleNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(random.next())) * Math.cos(2 * Math.PI * random.next());

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). */
function sampleGamma(shape: number, random: Random): number {
  if (shape < 1) return sampleGamma(shape + 1, random) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(random);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = random.next();
    const square = x * x;
    const isAccepted =
      u < 1 - 0.0331 * square * square || Math.log(u) < 0.5 * square + d - d * v + d * Math.log(v);
    if (isAccepted) return d * v;
  }
}

/**
 * Returns a sample of Beta(alpha, beta), both above 0, as odds x / (1 - x), which is the quotient
 * of two gamma samples.
 */
export function sampleOdds(alpha: number, beta: number, random: Random): number {
  const a = sampleGamma(alpha, random);
  return a / sampleGamma(beta, random);
}
