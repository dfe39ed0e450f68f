import { createRandom, sampleBeta, hashText } from "./random.ts";

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
const freshnessHalfLifeMs = 72 * 3600 * 1000;
/** How many items ahead a video of another actor is searched. */
const lookAhead = 50;

export function bucketOf(durationS: number): number {
  const index = bucketEndsS.findIndex((end) => durationS < end);
  return index < 0 ? bucketEndsS.length : index;
}

/** 1 + 0.3 * 2^(-age / 72 h). */
export function freshness(ageMs: number): number {
  return 1 + freshnessBonus * 2 ** (-Math.max(0, ageMs) / freshnessHalfLifeMs);
}

/**
 * Thompson sampling (Thompson 1933; Chapelle and Li 2011): a sample of the video's mean reward from
 * its posterior, times its freshness. The same seed gives the same score.
 */
export function scoreOf(
  candidate: Candidate,
  means: BucketMeans,
  session: { seed: string; startedAtMs: number },
): number {
  const mean = Math.min(0.99, Math.max(0.01, means[bucketOf(candidate.durationS)] ?? 0.5));
  const alpha = priorStrength * mean + candidate.rewardSum;
  const beta =
    priorStrength * (1 - mean) + Math.max(0, candidate.rewardCount - candidate.rewardSum);
  const random = createRandom(hashText(`${session.seed}/${candidate.id}`));
  return sampleBeta(alpha, beta, random) * freshness(session.startedAtMs - candidate.publishedAtMs);
}

function sharesActor(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => b.includes(id));
}

/** Items of which those before `head` are taken: a splice would move all others each time. */
interface Queue<T> {
  items: T[];
  head: number;
}

const queueOf = <T>(items: T[]): Queue<T> => ({ items, head: 0 });
const isEmpty = ({ items, head }: Queue<unknown>) => head >= items.length;

/** Takes the first item that shares no actor with the one before, if there is one within reach. */
function takeNext<T extends { actorIds: readonly string[] }>(
  queue: Queue<T>,
  before: readonly string[],
): T | undefined {
  const { items, head } = queue;
  const end = Math.min(items.length, head + lookAhead);
  let at = head;
  while (at < end && sharesActor(items[at]?.actorIds ?? [], before)) at += 1;
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
  const queue = queueOf([...items]);
  const result: T[] = [];
  let last = before;
  for (;;) {
    const next = takeNext(queue, last);
    if (next === undefined) return result;
    result.push(next);
    last = next.actorIds;
  }
}

/**
 * The order of one session: best sample first, every fifth position for a video with fewer than 100
 * impressions while there are any, the same actor never twice in a row where that is possible.
 * @param shown the actors of the last video on the screen, and how many videos are on it.
 */
export function orderForSession(
  candidates: readonly Candidate[],
  means: BucketMeans,
  session: { seed: string; startedAtMs: number },
  shown: { before: readonly string[]; offset: number } = { before: [], offset: 0 },
): Candidate[] {
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, means, session) }))
    .sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? 1 : -1))
    .map(({ candidate }) => candidate);
  const isNew = (candidate: Candidate) => candidate.impressions < exploreBelowImpressions;
  const known = queueOf(scored.filter((candidate) => !isNew(candidate)));
  const fresh = queueOf(scored.filter(isNew));
  // Without known videos every position explores, in the order of the samples.
  const mixed: Candidate[] = [];
  for (let position = shown.offset + 1; !isEmpty(known) || !isEmpty(fresh); position += 1) {
    const explores = position % exploreEvery === 0 || isEmpty(known);
    const from = explores && !isEmpty(fresh) ? fresh : known;
    const last = mixed.at(-1)?.actorIds ?? shown.before;
    const next = takeNext(from, last) ?? takeNext(fresh, last);
    if (next !== undefined) mixed.push(next);
  }
  return mixed;
}
