import type { CandidatePool } from "./candidate-pool.ts";
import { hashText } from "./random.ts";
import { rankSamples } from "./rank-samples.ts";
import { isForLittleKnown, lookAhead, takeNext } from "./ranking.ts";

/** So many of each kind are ranked for the first pages. */
const beginning = 128;

/** The order of one session, as indexes of candidates. It is worked out as far as it is asked for. */
export interface SessionOrder {
  length: number;
  /** The candidates at these positions, counted from 0. */
  slice(from: number, to: number): Uint16Array;
}

/** What the visitor has been shown before the session. */
export interface Shown {
  /** Candidates to leave out, by index. */
  excluded: readonly number[];
  /** Actors of the last video on the screen. */
  lastActorIds: readonly string[];
  /** How many videos are on the screen. */
  count: number;
}

/** Candidates of one kind, best first. */
interface Ranked {
  items: Uint16Array;
  head: number;
  isComplete: boolean;
}

/**
 * The best samples first, every fifth position for a video with fewer than 100 impressions while there
 * are any, the same actor never twice in a row where that is possible.
 */
export function createSessionOrder(
  { candidates, known, littleKnown }: CandidatePool,
  seed: string,
  { excluded, lastActorIds, count: shownCount }: Shown,
): SessionOrder {
  const seedHash = hashText(seed);
  const isExcluded = new Uint8Array(candidates.length);
  for (const index of excluded) isExcluded[index] = 1;
  const length = candidates.length - new Set(excluded).size;
  const actorsOf = (index: number | undefined) =>
    index === undefined ? lastActorIds : (candidates[index]?.actorIds ?? []);

  function rank(columns: typeof known, count: number): Ranked {
    const items = rankSamples(columns, seedHash, isExcluded, count);
    return { items, head: 0, isComplete: items.length < count };
  }
  const start = (count: number) => {
    const ranked = { known: rank(known, count), littleKnown: rank(littleKnown, count) };
    const size = ranked.known.items.length + ranked.littleKnown.items.length;
    return { ...ranked, order: new Uint16Array(size), length: 0 };
  };

  let state = start(beginning);
  const isShort = ({ items, head, isComplete }: Ranked) =>
    !isComplete && head + lookAhead > items.length;
  const isEmpty = ({ items, head }: Ranked) => head >= items.length;

  function extend(): void {
    // The same order again, with all of them.
    if (isShort(state.known) || isShort(state.littleKnown)) state = start(Infinity);
    const explores = isForLittleKnown(shownCount + state.length + 1) || isEmpty(state.known);
    const from = explores && !isEmpty(state.littleKnown) ? state.littleKnown : state.known;
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
