import type { ScoreColumns } from "./candidate-pool.ts";
import { Random, sampleBeta } from "./random.ts";
import { maxFreshness } from "./ranking.ts";

/** A key holds 36 bits of the score, and behind them the row. */
const rows = 0x1_0000;
const scoreScale = 2 ** 36;
const binCount = 1024;
const binWidth = (scoreScale * rows * maxFreshness) / binCount;
const binOf = (key: number) => Math.min(binCount - 1, Math.floor(key / binWidth));

/**
 * The best candidates of one session, as indexes, best first; of equal scores the higher index. A
 * score is a sample of the mean reward times the freshness (Thompson 1933; Chapelle and Li 2011).
 * @param isExcluded 1 at the index of each candidate to leave out.
 * @param count at least so many are returned, if there are so many.
 */
export function rankSamples(
  { indexes, idHashes, alphas, betas, freshness }: ScoreColumns,
  seed: number,
  isExcluded: Uint8Array,
  count: number,
): Uint16Array {
  const keys = new Float64Array(indexes.length);
  let length = 0;
  for (let row = 0; row < indexes.length; row += 1) {
    if (isExcluded[indexes[row] ?? 0] === 1) continue;
    const random = new Random(seed ^ (idHashes[row] ?? 0));
    const score = sampleBeta(alphas[row] ?? 1, betas[row] ?? 1, random) * (freshness[row] ?? 1);
    keys[length] = Math.floor(score * scoreScale) * rows + row;
    length += 1;
  }
  // Numbers of a typed array are sorted without a call for each comparison.
  const best = listHighest(keys.subarray(0, length), count).sort().toReversed();
  return Uint16Array.from(best, (key) => indexes[key - Math.floor(key / rows) * rows] ?? 0);
}

/** At least the `count` highest keys, in any order: sorting all takes as long as sampling. */
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
