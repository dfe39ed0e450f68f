import { pickByWeight } from "../../contract/ad-weight.ts";

export interface Drawn<T> {
  item: T;
  /** What the page picks by, among the drawn items. */
  weight: number;
}

/**
 * Draws up to `limit` different items, with weights for the page's pick (see `pickByWeight`):
 * - all fit: every item with its own weight;
 * - equal weights: a uniform sample with equal weights;
 * - otherwise: the first is drawn by weight and is the pick; the others are substitutes of weight 0.
 *
 * Reorders `pool` in place, so that a draw takes O(limit) for equal weights.
 */
export function drawAds<T extends { weight: number }>(
  pool: T[],
  limit: number,
  isUniform: boolean,
  random: () => number,
): Drawn<T>[] {
  const count = Math.min(limit, pool.length);
  const hasAll = count === pool.length;
  const isFirstByWeight = !isUniform && !hasAll;
  if (isFirstByWeight) swap(pool, 0, pickByWeight(pool, random));
  for (let at = isFirstByWeight ? 1 : 0; at < count; at += 1) {
    swap(pool, at, at + Math.floor(random() * (pool.length - at)));
  }
  return pool.slice(0, count).map((item, at) => ({
    item,
    weight: hasAll ? item.weight : isUniform || at === 0 ? 1 : 0,
  }));
}

function swap<T>(pool: T[], a: number, b: number): void {
  const first = pool[a];
  const second = pool[b];
  if (first === undefined || second === undefined) return;
  pool[a] = second;
  pool[b] = first;
}
