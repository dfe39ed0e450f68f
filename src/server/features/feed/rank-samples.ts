import type { ScoreColumns } from "./candidate-pool.ts";
import { Random, sampleOdds } from "./random.ts";

/** A key contains 36 bits of the score, followed by the row. */
const rows = 0x1_0000;
const scoreScale = 2 ** 36;
/** Higher scores also work but are slower. */
const usualMaxScore = 1.5;
const binCount = 1024;
const binWidth = (scoreScale * rows * usualMaxScore) / binCount;
const binOf = (key: number) => Math.min(binCount - 1, Math.floor(key / binWidth));

/** Parts of a row's score in one session. 1/2 is usual for a video of its length. */
interface ScoreParts {
  /** Mean of its rewards. */
  mean: number;
  /** Sample around the mean (Thompson 1933; Chapelle and Li 2011). */
  sample: number;
  freshness: number;
}

export function scoreParts(columns: ScoreColumns, row: number, seed: number): ScoreParts {
  const { alphas, betas, usualOdds, freshness } = columns;
  const meanOdds = (alphas[row] ?? 1) / (betas[row] ?? 1) / (usualOdds[row] ?? 1);
  return {
    mean: meanOdds / (1 + meanOdds),
    sample: sampleOf(columns, row, seed),
    freshness: freshness[row] ?? 1,
  };
}

function sampleOf(columns: ScoreColumns, row: number, seed: number): number {
  const { idHashes, alphas, betas, usualOdds } = columns;
  const random = new Random(seed ^ (idHashes[row] ?? 0));
  const odds = sampleOdds(alphas[row] ?? 1, betas[row] ?? 1, random) / (usualOdds[row] ?? 1);
  return odds / (1 + odds);
}

/**
 * Returns the indexes of a session's best candidates, best first. Equal scores are in descending
 * order of their indexes. A score is a sample of the mean reward, plus the visitor's taste, times
 * the freshness.
 * @param isExcluded 1 at the index of each candidate to leave out.
 * @param count minimum number of candidates to return, if there are enough.
 * @param taste change of each score by the visitor's taste, by index.
 */
export function rankSamples(
  columns: ScoreColumns,
  seed: number,
  isExcluded: Uint8Array,
  count: number,
  taste: Float32Array | null = null,
): Uint16Array {
  const { indexes } = columns;
  const keys = new Float64Array(indexes.length);
  let length = 0;
  for (let row = 0; row < indexes.length; row += 1) {
    const index = indexes[row] ?? 0;
    if (isExcluded[index] === 1) continue;
    const wanted = Math.max(0, sampleOf(columns, row, seed) + (taste?.[index] ?? 0));
    const score = wanted * (columns.freshness[row] ?? 1);
    keys[length] = Math.floor(score * scoreScale) * rows + row;
    length += 1;
  }
  // Typed arrays sort numbers without calling a comparison function.
  const best = listHighest(keys.subarray(0, length), count).sort().toReversed();
  return Uint16Array.from(best, (key) => indexes[key - Math.floor(key / rows) * rows] ?? 0);
}

/**
 * Returns at least the `count` highest keys, in any order. Sorting all would take as long as
 * sampling.
 */
function listHighest(keys: Float64Array, count: number): Float64Array {
  if (keys.length <= count) return keys;
  const bins = new Uint32Array(binCount);
  for (const key of keys) {
    const bin = binOf(key);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  let lowest = binCount;
  let length = 0;
  while (length < count && lowest > 0) {
    lowest -= 1;
    length += bins[lowest] ?? 0;
  }
  const highest = new Float64Array(length);
  let at = 0;
  for (const key of keys) {
    if (binOf(key) < lowest) continue;
    highest[at] = key;
    at += 1;
  }
  return highest;
}
