import type { CandidatePool, Scored } from "./candidate-pool.ts";
import { hashText } from "./random.ts";
import { isNewcomerPosition, isExplorationPosition, takeNext, type Candidate } from "./ranking.ts";
import { scoreOf } from "./score.ts";

/** Order of one session. Computed only as far as requested. */
export interface SessionOrder<C extends Candidate = Candidate> {
  length: number;
  /** Returns the candidates at these positions, counted from 0. */
  slice(from: number, to: number): Scored<C>[];
}

/** Videos the visitor saw before the session, and their taste. */
export interface Shown {
  /** Ids of candidates to leave out. */
  excludedIds: ReadonlySet<string>;
  /** Actors of the last video on screen. */
  lastActorIds: readonly string[];
  /** Number of videos on screen. */
  count: number;
  /** Taste for each candidate, by id. */
  taste?: ReadonlyMap<string, { value: number; isLiked: boolean }> | null;
}

/**
 * Puts the best samples first. Every fifth position is for the oldest newcomer as long as there are
 * any, and two of ten are for videos outside the visitor's taste. Where possible, the same actor
 * never appears twice in a row.
 */
export function createSessionOrder<C extends Candidate>(
  { candidates }: CandidatePool<C>,
  seed: string,
  { excludedIds, lastActorIds, count, taste = null }: Shown,
): SessionOrder<C> {
  const seedHash = hashText(seed);
  const left = candidates.filter(({ id }) => !excludedIds.has(id));
  const newcomers = left
    .filter(({ isNewcomer }) => isNewcomer)
    .toSorted((a, b) => a.publishedAtMs - b.publishedAtMs);
  const ranked = left
    .filter(({ isNewcomer }) => !isNewcomer)
    .map((candidate) => ({
      candidate,
      score: scoreOf(candidate, seedHash, taste?.get(candidate.id)?.value ?? 0),
    }))
    .toSorted((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? 1 : -1))
    .map(({ candidate }) => candidate);
  const outside = taste === null ? [] : ranked.filter(({ id }) => taste.get(id)?.isLiked !== true);
  const order: Scored<C>[] = [];

  function takeOne(): Scored<C> | undefined {
    const position = count + order.length + 1;
    const isNewcomerTurn = isNewcomerPosition(position) || ranked.length === 0;
    const isOutsideTurn = isExplorationPosition(position) && outside.length > 0;
    const from =
      isNewcomerTurn && newcomers.length > 0 ? newcomers : isOutsideTurn ? outside : ranked;
    const next = takeNext(from, order.at(-1)?.actorIds ?? lastActorIds);
    const other = from === outside ? ranked : outside;
    const at = next === undefined ? -1 : other.indexOf(next);
    if (at >= 0) other.splice(at, 1);
    return next;
  }

  return {
    length: left.length,
    slice(from, to) {
      while (order.length < Math.min(to, left.length)) {
        const next = takeOne();
        if (next === undefined) break;
        order.push(next);
      }
      return order.slice(from, to);
    },
  };
}
