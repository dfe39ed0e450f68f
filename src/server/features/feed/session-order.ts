import type { CandidatePool } from "./candidate-pool.ts";
import { hashText } from "./random.ts";
import { rankSamples } from "./rank-samples.ts";
import { isNewcomerPosition, isExplorationPosition, lookAhead, takeNext } from "./ranking.ts";

/** Number of candidates ranked for the first pages. */
const beginning = 128;

/** Order of one session as candidate indexes. Computed only as far as requested. */
export interface SessionOrder {
  length: number;
  /** Returns the candidates at these positions, counted from 0. */
  slice(from: number, to: number): Uint16Array;
}

/** Videos the visitor saw before the session, and their taste. */
export interface Shown {
  /** Indexes of candidates to leave out. */
  excluded: readonly number[];
  /** Actors of the last video on screen. */
  lastActorIds: readonly string[];
  /** Number of videos on screen. */
  count: number;
  /** Change of each score by the visitor's taste, by index. */
  taste?: Float32Array | null;
  /** 1 for each candidate that has something the visitor likes, by index. */
  liked?: Uint8Array | null;
}

/** Candidates of one kind, best first. */
interface Ranked {
  items: Uint16Array;
  head: number;
  isComplete: boolean;
}

/**
 * Puts the best samples first. Every fifth position is for the oldest newcomer as long as there are
 * any, and two of ten are for videos outside the visitor's taste. Where possible, the same actor
 * never appears twice in a row.
 */
export function createSessionOrder(
  { candidates, ranked: columns, newcomers }: CandidatePool,
  seed: string,
  { excluded, lastActorIds, count: shownCount, taste = null, liked = null }: Shown,
): SessionOrder {
  const seedHash = hashText(seed);
  const isExcluded = new Uint8Array(candidates.length);
  for (const index of excluded) isExcluded[index] = 1;
  const length = candidates.length - new Set(excluded).size;
  const actorsOf = (index: number | undefined) =>
    index === undefined ? lastActorIds : (candidates[index]?.actorIds ?? []);

  /** Excludes videos that suit the visitor's taste. */
  const isInside = isExcluded.map((excluded, index) => excluded | (liked?.[index] ?? 0));

  function rankOutside(count: number): Ranked {
    const none = { items: new Uint16Array(), head: 0, isComplete: true };
    if (liked === null) return none;
    const items = rankSamples(columns, seedHash, isInside, count, taste);
    return { items, head: 0, isComplete: items.length < count };
  }

  /** Skips videos that another list has already returned. */
  function drop(list: Ranked, index: number): void {
    const at = list.items.indexOf(index, list.head);
    if (at < 0) return;
    list.items.copyWithin(list.head + 1, list.head, at);
    list.head += 1;
  }

  function start(count: number) {
    const items = rankSamples(columns, seedHash, isExcluded, count, taste);
    const ranked: Ranked = { items, head: 0, isComplete: items.length < count };
    const unseen = newcomers.filter((index) => isExcluded[index] === 0);
    const fresh: Ranked = { items: unseen, head: 0, isComplete: true };
    const order = new Uint16Array(items.length + unseen.length);
    return { ranked, fresh, outside: rankOutside(count), order, length: 0 };
  }

  let state = start(beginning);
  const isShort = ({ items, head, isComplete }: Ranked) =>
    !isComplete && head + lookAhead > items.length;
  const isEmpty = ({ items, head }: Ranked) => head >= items.length;

  function extend(): void {
    // Computes the same order again with all candidates.
    if (isShort(state.ranked) || isShort(state.outside)) state = start(Infinity);
    const { ranked, fresh, outside, order } = state;
    const position = shownCount + state.length + 1;
    const isNewcomerTurn = isNewcomerPosition(position) || isEmpty(ranked);
    const isOutside = isExplorationPosition(position) && !isEmpty(outside);
    const from = isNewcomerTurn && !isEmpty(fresh) ? fresh : isOutside ? outside : ranked;
    const next = takeNext(from, actorsOf(order[state.length - 1]), actorsOf) ?? 0;
    if (from === outside) drop(ranked, next);
    if (from === ranked) drop(outside, next);
    order[state.length] = next;
    state.length += 1;
  }

  return {
    length,
    slice(from, to) {
      const end = Math.min(to, length);
      while (state.length < end) extend();
      return state.order.subarray(from, end);
    },
  };
}
