import { hashText } from "./random.ts";
import {
  computeBucketMeans,
  feedTuning,
  freshness,
  isNewcomer,
  rewardPosterior,
  baselineOdds,
  type Candidate,
} from "./ranking.ts";

/** Inputs of a candidate's score that don't depend on the session. */
export interface ScoreInputs {
  idHash: number;
  alpha: number;
  beta: number;
  usualOdds: number;
  freshness: number;
  isNewcomer: boolean;
}

export type Scored<C extends Candidate = Candidate> = C & ScoreInputs;

/** Candidates and their data at one moment. */
export interface CandidatePool<C extends Candidate = Candidate> {
  /** Sorted by id. */
  candidates: readonly Scored<C>[];
  byId: ReadonlyMap<string, Scored<C>>;
}

export function createCandidatePool<C extends Candidate>(
  unsorted: readonly C[],
  nowMs: number,
  tuning = feedTuning,
): CandidatePool<C> {
  const means = computeBucketMeans(unsorted, tuning);
  const candidates = unsorted
    .map((candidate) => ({
      ...candidate,
      ...rewardPosterior(candidate, means, tuning),
      idHash: hashText(candidate.id),
      usualOdds: baselineOdds(candidate, means),
      freshness: freshness(nowMs - candidate.publishedAtMs, tuning),
      isNewcomer: isNewcomer(candidate, nowMs),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { candidates, byId: new Map(candidates.map((candidate) => [candidate.id, candidate])) };
}
