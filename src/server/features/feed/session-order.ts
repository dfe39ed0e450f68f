import type { CandidatePool } from "./candidate-pool.ts";
import { hashText } from "./random.ts";
import { rankSamples } from "./rank-samples.ts";
import { isForNewcomer, lookAhead, takeNext } from "./ranking.ts";

/** Number of candidates ranked for the first pages. */
const beginning = 128;

/** Order of one session as candidate indexes, computed as far as requested. */
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
}

/** Candidates of one kind, best first. */
interface Ranked {
  items: Uint16Array;
  head: number;
  isComplete: boolean;
}

/**
 * Orders by best sample, with the oldest newcomer at every fifth position while there are any.
 * Never shows the same actor twice in a row where avoidable.
 */
export function createSessionOrder(
  { candidates, ranked: columns, newcomers }: CandidatePool,
  seed: string,
  { excluded, lastActorIds, count: shownCount, taste = null }: Shown,
): SessionOrder {
  const seedHash = hashText(seed);
  const isExcluded = new Uint8Array(candidates.length);
  for (const index of excluded) isExcluded[index] = 1;
  const length = candidates.length - new Set(excluded).size;
  const actorsOf = (index: number | undefined) =>
    index === undefined ? lastActorIds : (candidates[index]?.actorIds ?? []);

  function start(count: number) {
    const items = rankSamples(columns, seedHash, isExcluded, count, taste);
    const ranked: Ranked = { items, head: 0, isComplete: items.length < count };
    const unseen = newcomers.filter((index) => isExcluded[index] === 0);
    const fresh: Ranked = { items: unseen, head: 0, isComplete: true };
    const order = new Uint16Array(items.length + unseen.length);
    return { ranked, fresh, order, length: 0 };
  }

  let state = start(beginning);
  const isShort = ({ items, head, isComplete }: Ranked) =>
    !isComplete && head + lookAhead > items.length;
  const isEmpty = ({ items, head }: Ranked) => head >= items.length;

  function extend(): void {
    // Computes the same order again with all candidates.
    if (isShort(state.ranked)) state = start(Infinity);
    const isTurn = isForNewcomer(shownCount + state.length + 1) || isEmpty(state.ranked);
    const from = isTurn && !isEmpty(state.fresh) ? state.fresh : state.ranked;
    const before = actorsOf(state.order[state.length - 1]);
    state.order[state.length] = takeNext(from, before, actorsOf) ?? 0;
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
