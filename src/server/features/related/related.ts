/** Inputs of likeness. The weight of a tag is its rarity. */
export interface Subject {
  tags: ReadonlyMap<string, number>;
  actorIds: readonly string[];
  categoryIds: readonly string[];
  /** Folded: lower case, without accents and punctuation. */
  title: string;
}

export interface Candidate extends Subject {
  id: string;
  /** See `relatedScore`; 0 to 1. */
  score: number;
  reason: RelatedReason;
}

/** Parts of a score, in the order in which they are computed. */
export const partsOf = ["tags", "actors", "categories", "title", "watched"] as const;
/** Reason for a video in the list: the largest part of its score, or a shared tag. */
export type RelatedReason =
  | Exclude<(typeof partsOf)[number], "tags">
  | `tag:${string}`
  | "trending";

/** Weights of the score. See docs/ranking.md for the reasons. */
export const share = {
  tags: 0.45,
  actors: 0.2,
  categories: 0.1,
  title: 0.1,
  watched: 0.15,
} as const;
/** Number of co-watched videos stored per video. */
export const neighboursMax = 50;
/** Number of viewers from which co-watching has half of its maximum weight. */
const evidenceHalf = 5;
/** Maximum weight of co-watching. Likeness makes up the difference to 1. */
const watchedShareMax = 0.7;
/** Number of common viewers at which their cosine counts half. */
const coWatchedShrink = 3;
/** Weight of relevance against variety (MMR, Carbonell and Goldstein 1998). */
const relevanceShare = 0.7;
const maxPerActor = 2;

/**
 * Returns how rare a label is, given that it is on `listed` of `all` videos. Above 0 even if all
 * videos have it.
 */
export function rarity(all: number, listed: number): number {
  return Math.log(1 + all / Math.max(1, listed));
}

/** Returns the shared weight divided by the total weight: the weighted Jaccard index. */
function sharedTags(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let all = 0;
  for (const [id, weight] of a) {
    all += weight;
    if (b.has(id)) shared += weight;
  }
  for (const [id, weight] of b) if (!a.has(id)) all += weight;
  return all === 0 ? 0 : shared / all;
}

function jaccard(a: readonly string[], b: readonly string[]): number {
  const shared = a.filter((id) => b.includes(id)).length;
  const all = a.length + b.length - shared;
  return all === 0 ? 0 : shared / all;
}

/** Returns the trigrams of every word as pg_trgm computes them. */
export function trigrams(text: string): Set<string> {
  const all = new Set<string>();
  for (const word of text.split(/[ \u2060]+/)) {
    if (word === "") continue;
    const padded = [..."  ", ...word, " "];
    for (let start = 0; start + 3 <= padded.length; start += 1)
      all.add(padded.slice(start, start + 3).join(""));
  }
  return all;
}

/** Returns shared trigrams divided by all trigrams. */
export function titleLikeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  const shared = [...left].filter((run) => right.has(run)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

/**
 * Returns how alike two videos are by their own properties, ignoring their viewers: 0 to 0.85.
 * @param title likeness of the titles, 0 to 1.
 */
export function likeness(a: Subject, b: Subject, title: number): number {
  return (
    share.tags * sharedTags(a.tags, b.tags) +
    share.actors * jaccard(a.actorIds, b.actorIds) +
    share.categories * jaccard(a.categoryIds, b.categoryIds) +
    share.title * title
  );
}

/**
 * Returns how much the viewers of two videos overlap: the cosine of their audiences, shrunk towards
 * 0 if few visitors have watched both.
 */
export function coWatched(both: number, first: number, second: number): number {
  if (both <= 0 || first <= 0 || second <= 0) return 0;
  return Math.min(1, both / Math.sqrt(first * second)) * (both / (both + coWatchedShrink));
}

/**
 * Returns a candidate's score. It is the likeness of the videos, with more weight on co-watching
 * the more viewers there are.
 * @param viewers engaged viewers of the watched video.
 */
export function relatedScore(alike: number, watched: number, viewers: number): number {
  const ofWatched = coWatchedWeight(viewers);
  return (alike * (1 - ofWatched)) / (1 - share.watched) + ofWatched * watched;
}

export function coWatchedWeight(viewers: number): number {
  const grown = (watchedShareMax - share.watched) * (viewers / (viewers + evidenceHalf));
  return share.watched + grown;
}

/** Counts how often each actor occurs in a list. */
function createActorLimit() {
  const counts = new Map<string, number>();
  return {
    allows: (actorIds: readonly string[]) =>
      actorIds.every((id) => (counts.get(id) ?? 0) < maxPerActor),
    add(actorIds: readonly string[]) {
      for (const id of actorIds) counts.set(id, (counts.get(id) ?? 0) + 1);
    },
  };
}

/** Id with the data for the limit per actor. */
export interface Pickable {
  id: string;
  actorIds: readonly string[];
}

/**
 * Picks videos one by one: most similar to the watched video and least similar to those already
 * picked. The higher id wins a tie. Each actor appears at most twice.
 * @returns the picked videos, and the remaining ones by score.
 */
export function pickVaried(
  candidates: readonly Candidate[],
  count: number,
): { picked: Candidate[]; left: Candidate[] } {
  const limit = createActorLimit();
  const runs = new Map(candidates.map((candidate) => [candidate, trigrams(candidate.title)]));
  const titles = (a: Candidate, b: Candidate) =>
    titleLikeness(runs.get(a) ?? new Set(), runs.get(b) ?? new Set());
  const picked: Candidate[] = [];
  // Remaining candidates with their highest likeness to a picked one.
  const left = new Map(candidates.map((candidate) => [candidate, 0]));
  while (picked.length < count) {
    let best: { candidate: Candidate; value: number } | null = null;
    for (const [candidate, nearest] of left) {
      if (!limit.allows(candidate.actorIds)) continue;
      const value = relevanceShare * candidate.score - (1 - relevanceShare) * nearest;
      const isBetter =
        best === null ||
        value > best.value ||
        (value === best.value && candidate.id > best.candidate.id);
      if (isBetter) best = { candidate, value };
    }
    if (best === null) break;
    const { candidate } = best;
    picked.push(candidate);
    limit.add(candidate.actorIds);
    left.delete(candidate);
    for (const [other, nearest] of left) {
      const like = likeness(candidate, other, titles(candidate, other));
      left.set(other, Math.max(nearest, like));
    }
  }
  return { picked, left: [...left.keys()].toSorted(byScore) };
}

/**
 * Completes a list that is too short. Each actor appears at most twice as long as `fill` has other
 * videos.
 * @param spare related videos of actors that the list contains twice, best first.
 * @param fill other videos, best first.
 */
export function completeList(
  picked: readonly Pickable[],
  spare: readonly Pickable[],
  fill: readonly Pickable[],
  count: number,
): string[] {
  const limit = createActorLimit();
  const ids: string[] = [];
  const add = ({ id, actorIds }: Pickable) => {
    if (ids.length >= count || ids.includes(id)) return;
    ids.push(id);
    limit.add(actorIds);
  };
  for (const video of picked) add(video);
  for (const video of fill) if (limit.allows(video.actorIds)) add(video);
  for (const video of [...spare, ...fill]) add(video);
  return ids;
}

const byScore = (a: Candidate, b: Candidate) => b.score - a.score || (a.id < b.id ? 1 : -1);
