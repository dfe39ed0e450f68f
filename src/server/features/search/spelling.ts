import type { Db } from "#server/db/connection.ts";
import { divideWords, partsOf } from "./divide-words.ts";
import { withEqualWords } from "./equal-words.ts";
import { joiner, type Term, type Word } from "./search-query.ts";
import { readVocabulary } from "./spelling.repository.ts";
import { beginningsNear, isCorrectable, nearestWords } from "./typo.ts";

/** Maximum number of corrections of a whole word, and of a prefix. */
const maxNear = 6;
const maxBegun = 32;
/** Maximum number of words to look up. */
const maxCorrected = 6;

interface SpelledWord {
  /** One word, or several that form one. */
  typed: string;
  word: Word;
}

/** Suggests spellings for words that don't occur together. */
export async function createSpelling(db: Db, words: readonly string[], known: ReadonlySet<string>) {
  const isDivisible = (word: string) => !known.has(word) && !word.includes(joiner);
  const last = words.at(-1) ?? "";
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ""}${word}`);
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

  const spellings = new Map<string, Word>();
  for (const word of words) {
    const like = near[correctable.indexOf(word)] ?? [];
    // A word that exists hardly ever contains two typos.
    const nearest = nearestWords(word, like)
      .filter(
        ({ distance, word: other }) => other !== word && distance <= (known.has(word) ? 1 : 2),
      )
      .slice(0, maxNear)
      .map(({ word: text }): Term => ({ text, isWhole: true }));
    spellings.set(word, [
      ...(known.has(word) ? (withEqualWords([word])[0] ?? []) : []),
      ...nearest,
      ...(word === last ? begun.map((text): Term => ({ text, isWhole: true })) : []),
    ]);
  }

  /**
   * Joins words that form one and divides words that are several. Returns null if nothing changes.
   */
  function spacedOtherwise(): SpelledWord[] | null {
    const spaced: SpelledWord[] = [];
    let isChanged = false;
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index] ?? "";
      const pair = pairs[index] ?? "";
      const divided = isDivisible(word) ? divideWords(word, vocabulary) : null;
      if (vocabulary.has(pair) && index + 1 < words.length) {
        spaced.push({ typed: `${word} ${words[index + 1] ?? ""}`, word: [{ text: pair }] });
        index += 1;
        isChanged = true;
      } else if (divided !== null) {
        spaced.push({ typed: word, word: [{ text: divided.join(" ") }] });
        isChanged = true;
      } else spaced.push({ typed: word, word: withEqualWords([word])[0] ?? [] });
    }
    return isChanged ? spaced : null;
  }

  /**
   * Returns the readings of a typed word, including itself if it occurs. Returns none if nothing is
   * similar.
   */
  const wordsFor = (word: string) => spellings.get(word) ?? [];
  return {
    wordsFor,
    /**
     * Returns the readings of all words, likeliest first: with spaces moved, then without typos.
     */
    ways(): SpelledWord[][] {
      const spaced = spacedOtherwise();
      const near = words.map((word) => ({ typed: word, word: wordsFor(word) }));
      return [
        ...(spaced === null ? [] : [spaced]),
        ...(near.every(({ word }) => word.length > 0) ? [near] : []),
      ];
    },
  };
}

export type Spelling = Awaited<ReturnType<typeof createSpelling>>;
