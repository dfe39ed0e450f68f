/**
 * How many typos lie between two words: a letter too many, too few or another one, or two that
 * changed places (optimal string alignment). Stops counting above `most`.
 */
export function typoDistance(a: string, b: string, most: number): number {
  const left = [...a];
  const right = [...b];
  if (Math.abs(left.length - right.length) > most) return most + 1;
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
    if (Math.min(...row) > most) return most + 1;
    before = previous;
    previous = row;
  }
  return previous[right.length] ?? most + 1;
}

/** Words this short are too close to each other to be guessed. */
export const shortestCorrected = 4;
const longestCorrected = 24;
/** From this length on a second typo is forgiven. */
const longWord = 9;

export function isCorrectable(word: string): boolean {
  return word.length >= shortestCorrected && word.length <= longestCorrected && !/^\d+$/.test(word);
}

/** Those of the known words that may have been meant, the nearest first, then by the alphabet. */
export function nearestWords(typed: string, known: readonly string[], count: number): string[] {
  const most = typed.length >= longWord ? 2 : 1;
  return known
    .map((word) => ({ word, distance: typoDistance(typed, word, most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, count)
    .map(({ word }) => word);
}
