import { pickByWeight } from "./pick-by-weight.ts";

/**
 * Draws up to `limit` different items in proportion to their weights. The page shows the first one,
 * and the next if it fails. Reorders `pool` in place, so that a draw takes O(limit) for equal
 * weights.
 */
export function drawAds<T extends { weight: number }>(
  pool: T[],
  limit: number,
  isUniform: boolean,
  random: () => number,
): readonly T[] {
  const count = Math.min(limit, pool.length);
  for (let at = 0; at < count; at += 1) {
    const chosen = isUniform
      ? Math.floor(random() * (pool.length - at))
      : pickByWeight(pool.slice(at), random);
    swap(pool, at, at + chosen);
  }
  return pool.slice(0, count);
}

function swap<T>(pool: T[], a: number, b: number): void {
  const first = pool[a];
  const second = pool[b];
  if (first === undefined || second === undefined) return;
  pool[a] = second;
  pool[b] = first;
}
