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

/** Inputs of each candidate's score that don't depend on the session, in columns. */
export interface ScoreColumns {
  /** Indexes of the candidates. */
  indexes: Uint16Array;
  idHashes: Int32Array;
  alphas: Float64Array;
  betas: Float64Array;
  usualOdds: Float64Array;
  freshness: Float64Array;
}

/** Candidates and their data at one moment. */
export interface CandidatePool<C extends Candidate = Candidate> {
  /** Sorted by id, so that a higher index means a higher id. At most 65,536. */
  candidates: readonly C[];
  /** Index of each candidate by id. */
  indexOf: ReadonlyMap<string, number>;
  ranked: ScoreColumns;
  /** Newcomers, oldest first. */
  newcomers: Uint16Array;
}

export function createCandidatePool<C extends Candidate>(
  unsorted: readonly C[],
  nowMs: number,
  tuning = feedTuning,
): CandidatePool<C> {
  const candidates = unsorted.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const means = computeBucketMeans(candidates, tuning);
  const all = candidates.map((candidate, index) => ({ candidate, index }));
  const rows = all.filter(({ candidate }) => !isNewcomer(candidate, nowMs));
  const newcomers = all.filter(({ candidate }) => isNewcomer(candidate, nowMs));
  const posteriors = rows.map(({ candidate }) => rewardPosterior(candidate, means, tuning));
  return {
    candidates,
    indexOf: new Map(candidates.map(({ id }, index) => [id, index])),
    ranked: {
      indexes: Uint16Array.from(rows, ({ index }) => index),
      idHashes: Int32Array.from(rows, ({ candidate }) => hashText(candidate.id)),
      alphas: Float64Array.from(posteriors, ({ alpha }) => alpha),
      betas: Float64Array.from(posteriors, ({ beta }) => beta),
      usualOdds: Float64Array.from(rows, ({ candidate }) => baselineOdds(candidate, means)),
      freshness: Float64Array.from(rows, ({ candidate }) =>
        freshness(nowMs - candidate.publishedAtMs, tuning),
      ),
    },
    newcomers: Uint16Array.from(
      newcomers.toSorted((a, b) => a.candidate.publishedAtMs - b.candidate.publishedAtMs),
      ({ index }) => index,
    ),
  };
}
