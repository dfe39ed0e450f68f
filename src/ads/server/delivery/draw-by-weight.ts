/**
 * @returns the index of an item, with probability `weight / sum of weights`; 0 if no item has a
 * weight, -1 without items.
 */
export function pickByWeight(items: readonly { weight: number }[], random: () => number): number {
  let left = random() * items.reduce((sum, item) => sum + item.weight, 0);
  const index = items.findIndex((item) => (left -= item.weight) < 0);
  return index < 0 ? Math.min(0, items.length - 1) : index;
}

/**
 * Draws up to `limit` different items in proportion to their weights. The page shows the first one,
 * and the next if it fails.
 */
export function drawByWeight<T extends { weight: number }>(
  items: readonly T[],
  limit: number,
  random: () => number,
): T[] {
  const rest = [...items];
  const drawn: T[] = [];
  while (drawn.length < limit && rest.length > 0) {
    drawn.push(...rest.splice(pickByWeight(rest, random), 1));
  }
  return drawn;
}
