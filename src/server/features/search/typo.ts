import { joiner } from "./search-query.ts";

const numbersOf = (word: string): string => word.replace(/\P{Nd}+/gu, " ").trim();

/**
 * Returns the number of typos between two words: a letter added, missing or replaced, or two
 * swapped (optimal string alignment). A different number doesn't count as a typo. Stops counting
 * above `max`.
 */
export function typoDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || numbersOf(a) !== numbersOf(b)) return max + 1;
  const left = [...a];
  const right = [...b];
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

/**
 * Length limits of corrected words. Shorter words are too similar, and longer ones aren't stored.
 */
const minCorrectedLength = 3;
const maxCorrectedLength = 24;
/** Minimum length of a word in which up to two typos are corrected. */
const minLengthForTwoTypos = 6;

/**
 * Returns whether a word must match exactly. A different number doesn't count as a typo, and neither
 * do single characters in another order.
 */
function isExact(word: string): boolean {
  return /^\d+$/.test(word) || word.includes(joiner);
}

export function isCorrectable(word: string): boolean {
  return word.length >= minCorrectedLength && word.length <= maxCorrectedLength && !isExact(word);
}

/** Returns the maximum number of typos in a word of this length. */
export function maxTypos(word: string): number {
  if (!isCorrectable(word)) return 0;
  return word.length >= minLengthForTwoTypos ? 2 : 1;
}

/** Simplifies typed Latin letters in the same way as `romanise` in the migration `search-words`. */
export function plainLatin(word: string): string {
  return word
    .replace(/shch/g, "sch")
    .replace(/kh/g, "h")
    .replace(/ts/g, "c")
    .replace(/yo/g, "e")
    .replace(/[yj]/g, "i");
}

/** Known word, and its transliteration to Latin letters. */
export interface KnownWord {
  word: string;
  romanised: string;
}

/**
 * Returns the known words closest to a typed word. At equal distance, words with the same first
 * letter come first, then words with the same letters in another order.
 */
export function nearestWords(
  typed: string,
  known: readonly KnownWord[],
): { word: string; distance: number }[] {
  const max = maxTypos(typed);
  const sorted = (text: string) => [...text].toSorted().join("");
  const letters = sorted(typed);
  return known
    .map(({ word, romanised }) => {
      const distance =
        word === romanised
          ? typoDistance(typed, word, max)
          : Math.min(
              typoDistance(typed, word, max),
              typoDistance(plainLatin(typed), romanised, max),
            );
      const unlike = (word[0] === typed[0] ? 0 : 2) + (sorted(word) === letters ? 0 : 1);
      return { word, distance, unlike };
    })
    .filter(({ distance }) => distance <= max)
    .toSorted(
      (a, b) => a.distance - b.distance || a.unlike - b.unlike || (a.word < b.word ? -1 : 1),
    )
    .map(({ word, distance }) => ({ word, distance }));
}

/** Letters that a typo may have replaced, by script. */
const alphabets: readonly [RegExp, string][] = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^\p{Script=Cyrillic}+$/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/^\p{Script=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψω"],
];
const minBeginningLength = 4;
const maxBeginningLength = 10;

/** Returns every text that differs from a word's prefix by one typo, swaps first. */
export function beginningsNear(typed: string): string[] {
  const alphabet = alphabets.find(([script]) => script.test(typed))?.[1];
  if (
    alphabet === undefined ||
    typed.length < minBeginningLength ||
    typed.length > maxBeginningLength
  ) {
    return [];
  }
  const places = Array.from(typed, (_letter, at) => at);
  const swapped = places.map(
    (at) =>
      typed.slice(0, at) +
      typed
        .slice(at, at + 2)
        .split("")
        .toReversed()
        .join("") +
      typed.slice(at + 2),
  );
  const shorter = places.map((at) => typed.slice(0, at) + typed.slice(at + 1));
  const other = places.flatMap((at) =>
    [...alphabet].flatMap((letter) => [
      typed.slice(0, at) + letter + typed.slice(at + 1),
      typed.slice(0, at) + letter + typed.slice(at),
    ]),
  );
  return [...new Set([...swapped, ...other, ...shorter])].filter((text) => text !== typed);
}
