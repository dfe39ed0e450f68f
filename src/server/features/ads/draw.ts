/** Something that is drawn more or less often than others. */
export interface Weighted {
  weight: number;
}

export interface Drawn<T> {
  item: T;
  /** What the page picks by, among the drawn. */
  weight: number;
}

/**
 * Draws up to `limit` different items. The page then picks one of them by the weights given here,
 * such that over many draws every item is picked in proportion to its own weight:
 * - all fit: everything, with its own weight;
 * - equal weights: a uniform sample, equal weights;
 * - else the first is drawn by weight and is the pick; the others are substitutes with weight 0.
 *
 * `pool` is reordered in place, which keeps a draw at O(limit) for equal weights.
 */
export function drawWeighted<T extends Weighted>(
  pool: T[],
  limit: number,
  isUniform: boolean,
  random: () => number,
): Drawn<T>[] {
  const count = Math.min(limit, pool.length);
  const isAll = count === pool.length;
  if (!isUniform && !isAll) swapFirstByWeight(pool, random);
  const start = !isUniform && !isAll ? 1 : 0;
  for (let at = start; at < count; at += 1) {
    swap(pool, at, at + Math.floor(random() * (pool.length - at)));
  }
  const drawn: Drawn<T>[] = [];
  for (let at = 0; at < count; at += 1) {
    const item = pool[at];
    if (item === undefined) break;
    drawn.push({ item, weight: isAll ? item.weight : isUniform || at === 0 ? 1 : 0 });
  }
  return drawn;
}

function swapFirstByWeight<T extends Weighted>(pool: T[], random: () => number): void {
  let left = random() * pool.reduce((sum, item) => sum + item.weight, 0);
  for (const [at, item] of pool.entries()) {
    left -= item.weight;
    if (left < 0) {
      swap(pool, 0, at);
      return;
    }
  }
}

function swap<T>(pool: T[], a: number, b: number): void {
  const first = pool[a];
  const second = pool[b];
  if (first === undefined || second === undefined) return;
  pool[a] = second;
  pool[b] = first;
}
