import type { Db } from "#server/db/connection.ts";
import { divideWords, partsOf } from "./divide-words.ts";
import { isUnspaced, joiner, type Term, type Word } from "./search-query.ts";
import { foldTexts } from "./search.repository.ts";
import { listContaining, listKnownWords } from "./spelling.repository.ts";

/** Minimum length of a word that may be a part of another one, such as of a German compound. */
const minContained = 5;
/** Single characters that only connect Chinese and Japanese words. */
const connectors = new Set("的了着得地之和与與及在のはがをにでともへや");
const hangul = /^[\uac00-\ud7a3]+$/;
/** Endings that follow a Korean noun without a space. */
const particles =
  "에서는 에서 에게 에는 으로 부터 까지 한테 하고 이랑 랑 과 와 은 는 이 가 을 를 의 에 도 만 로".split(
    " ",
  );
/** Longest Korean word to divide, in syllables. */
const maxHangul = 12;

const stemsOf = (word: string): string[] => [
  word,
  ...particles
    .filter((ending) => word.length > ending.length && word.endsWith(ending))
    .map((ending) => word.slice(0, -ending.length)),
];
const withParticles = (stem: string): string[] => [stem, ...particles.map((end) => stem + end)];
const whole = (text: string): Term => ({ text, isWhole: true });

/** Divides a Korean word into nouns that occur, with and without particles. */
async function readHangul(db: Db, word: string): Promise<Word[]> {
  const stems = stemsOf(word);
  const parts = word.length > maxHangul ? [] : stems.flatMap(partsOf).concat(stems);
  const known = await listKnownWords(db, [...new Set(parts.flatMap(withParticles))]);
  const nouns = new Set(
    parts.filter((part) => withParticles(part).some((form) => known.has(form))),
  );
  for (const stem of stems) {
    const divided = nouns.has(stem) ? [stem] : divideWords(stem, nouns);
    if (divided !== null) return divided.map((noun) => withParticles(noun).map(whole));
  }
  return [stems.flatMap(withParticles).map(whole)];
}

/**
 * Returns the words of scripts without spaces in a text, folded. Leaves out connectors. Single
 * characters in a row are one word, because the segmenter doesn't know it.
 */
export async function divideUnspaced(db: Db, typed: string): Promise<string[]> {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(typed);
  const words: string[] = [];
  let isInRow = false;
  for (const { segment } of segments) {
    const isWord = isUnspaced(segment) && !connectors.has(segment);
    const isSingle = isWord && segment.length === 1;
    if (isSingle && isInRow) words.push(`${words.pop() ?? ""}${segment}`);
    else if (isWord) words.push(segment);
    isInRow = isSingle;
  }
  const folded = await foldTexts(db, words);
  return [...new Set(folded)].filter((text) => text !== "");
}

/** German words are also typed with ae, oe and ue. Folded ones have a, o and u. */
const withoutUmlautE = (word: string): string => word.replace(/([aou])e/g, "$1");

/**
 * Reads a search by the parts of its words, for searches that match nothing as typed:
 *
 * - words of scripts without spaces, in any order, then single characters of Han and kana;
 * - Korean nouns before other particles, and nouns written together;
 * - words inside of longer ones, such as "schifffahrt" in "Donauschifffahrt".
 * @param typed the words as typed. `folded` contains the same words, folded.
 */
export async function* readParts(
  db: Db,
  typed: string,
  folded: readonly string[],
): AsyncGenerator<Word[]> {
  const isJoined = (word: string) => word.includes(joiner);
  const spaced = folded.filter((word) => !isJoined(word) && !hangul.test(word));
  const contained = (text: string) => text.length >= minContained;
  const longer = await listContaining(db, [
    ...new Set(spaced.flatMap((word) => [word, withoutUmlautE(word)]).filter(contained)),
  ]);
  const containing = new Map(
    spaced.flatMap((word) => {
      const plain = withoutUmlautE(word);
      const found = [...(longer.get(word) ?? []), ...(longer.get(plain) ?? [])];
      if (plain !== word) found.unshift(plain);
      return found.length > 0 ? [[word, found]] : [];
    }),
  );
  const joined = folded.some(isJoined)
    ? (await divideUnspaced(db, typed)).map((text): Word => [{ text }])
    : [];
  // Single characters aren't words: they only mean something in the order in which they were typed.
  const hasWords = joined.some(([term]) => term?.text.includes(joiner) === true);
  if (hasWords || folded.some((word) => hangul.test(word) || containing.has(word))) {
    const others = folded.filter((word) => !isJoined(word));
    const read = others.map(async (word): Promise<Word[]> => {
      if (hangul.test(word)) return readHangul(db, word);
      return [[{ text: word }, ...(containing.get(word) ?? []).map(whole)]];
    });
    yield [...joined, ...(await Promise.all(read)).flat()];
  }
  // Two characters together are a word. In another order they are another one.
  const characters = new Set(folded.flatMap((word) => word.split(joiner)));
  if (folded.some(isJoined) && characters.size > 2 && !/\p{Script=Thai}/u.test(typed)) {
    yield [...characters].map((text) => [{ text }]);
  }
}
