import type { CandidatePool } from "./candidate-pool.ts";
import { hashText } from "./random.ts";
import { rankSamples } from "./rank-samples.ts";
import { isForNewcomer, lookAhead, takeNext } from "./ranking.ts";

/** So many are ranked for the first pages. */
const beginning = 128;

/** The order of one session, as indexes of candidates. It is worked out as far as it is asked for. */
export interface SessionOrder {
  length: number;
  /** The candidates at these positions, counted from 0. */
  slice(from: number, to: number): Uint16Array;
}

/** What the visitor has been shown before the session, and what they like. */
export interface Shown {
  /** Candidates to leave out, by index. */
  excluded: readonly number[];
  /** Actors of the last video on the screen. */
  lastActorIds: readonly string[];
  /** How many videos are on the screen. */
  count: number;
  /** What the visitor's taste adds to each score, by index. */
  taste?: Float32Array | null;
}

/** Candidates of one kind, best first. */
interface Ranked {
  items: Uint16Array;
  head: number;
  isComplete: boolean;
}

/**
 * The best samples first, every fifth position for the oldest newcomer while there are any, the same
 * actor never twice in a row where that is possible.
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
    // The same order again, with all of them.
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
