/**
 * The number of typos between two words: a letter too many, too few or replaced, or two swapped
 * (optimal string alignment). Stops counting above `max`.
 */
export function typoDistance(a: string, b: string, max: number): number {
  const left = [...a];
  const right = [...b];
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > max) return max + 1;
    before = previous;
    previous = row;
  }
  return previous[right.length] ?? max + 1;
}

/** Shorter words are too similar to each other to be corrected. */
const minCorrectedLength = 4;
const maxCorrectedLength = 24;
/** From this length on two typos are corrected. */
const minLengthForTwoTypos = 9;

export function isCorrectable(word: string): boolean {
  return (
    word.length >= minCorrectedLength && word.length <= maxCorrectedLength && !/^\d+$/.test(word)
  );
}

/** The known words that a typed word may stand for, the nearest first, then by the alphabet. */
export function nearestWords(typed: string, known: readonly string[], count: number): string[] {
  const max = typed.length >= minLengthForTwoTypos ? 2 : 1;
  return known
    .map((word) => ({ word, distance: typoDistance(typed, word, max) }))
    .filter(({ distance }) => distance <= max)
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, count)
    .map(({ word }) => word);
}
