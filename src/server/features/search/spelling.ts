import type { Db } from "#server/db/connection.ts";
import { divideWords, partsOf } from "./divide-words.ts";
import { withEqualWords } from "./equal-words.ts";
import { joiner, type Term, type Word } from "./search-query.ts";
import { readVocabulary } from "./spelling.repository.ts";
import { beginningsNear, isCorrectable, nearestWords } from "./typo.ts";

/** How many words a typo may stand for, and how many words a typo in their beginning. */
const maxNear = 6;
const maxBegun = 32;
/** More words than this are not looked up. */
const maxCorrected = 6;

export interface Spelling {
  /** What one typed word may stand for, with itself where it occurs; empty where nothing is like it. */
  wordsFor(word: string): Word;
  /** What all words may stand for, the likeliest first: with spaces elsewhere, then without typos. */
  ways(): SpelledWord[][];
}

interface SpelledWord {
  /** One word, or several that are one. */
  typed: string;
  word: Word;
}

/** How words that were not found together may be spelled. */
export async function createSpelling(
  db: Db,
  words: readonly string[],
  known: ReadonlySet<string>,
): Promise<Spelling> {
  const isDivisible = (word: string) => !known.has(word) && !word.includes(joiner);
  const last = words.at(-1) ?? "";
  const pairs = words.slice(1).map((word, at) => `${words[at] ?? ""}${word}`);
  const parts = words.filter(isDivisible).flatMap(partsOf);
  const correctable = words.filter(isCorrectable).slice(-maxCorrected);
  const {
    words: vocabulary,
    begun,
    near,
  } = await readVocabulary(db, {
    texts: [...pairs, ...parts],
    beginnings: beginningsNear(last),
    begunMax: maxBegun,
    words: correctable,
  });

  const found = new Map<string, Word>();
  for (const word of words) {
    const like = near[correctable.indexOf(word)] ?? [];
    // What occurs is hardly two typos.
    const nearest = nearestWords(word, like)
      .filter(
        ({ distance, word: other }) => other !== word && distance <= (known.has(word) ? 1 : 2),
      )
      .slice(0, maxNear)
      .map(({ word: text }): Term => ({ text, isWhole: true }));
    found.set(word, [
      ...(known.has(word) ? (withEqualWords([word])[0] ?? []) : []),
      ...nearest,
      ...(word === last ? begun.map((text): Term => ({ text, isWhole: true })) : []),
    ]);
  }

  /** With words joined that are one, and divided that are several; null where there are none. */
  function spacedOtherwise(): SpelledWord[] | null {
    const spaced: SpelledWord[] = [];
    let isChanged = false;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? "";
      const pair = pairs[at] ?? "";
      const divided = isDivisible(word) ? divideWords(word, vocabulary) : null;
      if (vocabulary.has(pair) && at + 1 < words.length) {
        spaced.push({ typed: `${word} ${words[at + 1] ?? ""}`, word: [{ text: pair }] });
        at += 1;
        isChanged = true;
      } else if (divided !== null) {
        spaced.push({ typed: word, word: [{ text: divided.join(" ") }] });
        isChanged = true;
      } else spaced.push({ typed: word, word: withEqualWords([word])[0] ?? [] });
    }
    return isChanged ? spaced : null;
  }

  const wordsFor = (word: string) => found.get(word) ?? [];
  return {
    wordsFor,
    ways() {
      const spaced = spacedOtherwise();
      const near = words.map((word) => ({ typed: word, word: wordsFor(word) }));
      return [
        ...(spaced === null ? [] : [spaced]),
        ...(near.every(({ word }) => word.length > 0) ? [near] : []),
      ];
    },
  };
}
