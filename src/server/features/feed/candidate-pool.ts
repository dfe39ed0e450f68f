import { hashText } from "./random.ts";
import {
  freshness,
  isLittleKnown,
  posteriorOf,
  type BucketMeans,
  type Candidate,
} from "./ranking.ts";

/** What the score of each candidate depends on in every session, in columns. */
export interface ScoreColumns {
  /** Which candidates these are. */
  indexes: Uint16Array;
  idHashes: Int32Array;
  alphas: Float64Array;
  betas: Float64Array;
  freshness: Float64Array;
}

/** The candidates and what is known of them, as of one moment. */
export interface CandidatePool {
  /** By id, so that of two the one with the higher index has the higher id. At most 65,536. */
  candidates: readonly Candidate[];
  /** Where each candidate is, by id. */
  indexOf: ReadonlyMap<string, number>;
  known: ScoreColumns;
  littleKnown: ScoreColumns;
}

export function createCandidatePool(
  unsorted: readonly Candidate[],
  means: BucketMeans,
  nowMs: number,
): CandidatePool {
  const candidates = unsorted.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rows = candidates.map((candidate, index) => {
    const { id, publishedAtMs } = candidate;
    return {
      index,
      idHash: hashText(id),
      ...posteriorOf(candidate, means),
      freshness: freshness(nowMs - publishedAtMs),
      isLittleKnown: isLittleKnown(candidate),
    };
  });
  const columnsOf = (included: typeof rows): ScoreColumns => ({
    indexes: Uint16Array.from(included, (row) => row.index),
    idHashes: Int32Array.from(included, (row) => row.idHash),
    alphas: Float64Array.from(included, (row) => row.alpha),
    betas: Float64Array.from(included, (row) => row.beta),
    freshness: Float64Array.from(included, (row) => row.freshness),
  });
  return {
    candidates,
    indexOf: new Map(candidates.map(({ id }, index) => [id, index])),
    known: columnsOf(rows.filter((row) => !row.isLittleKnown)),
    littleKnown: columnsOf(rows.filter((row) => row.isLittleKnown)),
  };
}
