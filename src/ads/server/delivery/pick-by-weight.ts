/**
 * @returns the index of an item, with probability `weight / sum of weights`; 0 if no item has a
 * weight, -1 without items.
 */
export function pickByWeight(items: readonly { weight: number }[], random: () => number): number {
  let left = random() * items.reduce((sum, item) => sum + item.weight, 0);
  const index = items.findIndex((item) => (left -= item.weight) < 0);
  return index < 0 ? Math.min(0, items.length - 1) : index;
}
