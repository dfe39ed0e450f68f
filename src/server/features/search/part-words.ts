import type { Db } from "#server/db/connection.ts";
import { divideWords, partsOf } from "./divide-words.ts";
import { joiner, type Term, type Word } from "./search-query.ts";
import { foldTexts } from "./search.repository.ts";
import { listContaining, listKnownWords } from "./spelling.repository.ts";

/** Minimum length of a word that may be a part of another one, such as of a German compound. */
const minContained = 5;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const hangul = /^[\uac00-\ud7a3]{2,}$/;
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

/** Returns the words of scripts without spaces in a text. */
async function readJoined(db: Db, typed: string): Promise<Word[]> {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(typed);
  const words = Array.from(segments, ({ segment }) => segment).filter((word) =>
    unspaced.test(word),
  );
  const folded = await foldTexts(db, words);
  return folded.filter((text) => text !== "").map((text) => [{ text }]);
}

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
  const containing = await listContaining(
    db,
    folded.filter((word) => word.length >= minContained && !isJoined(word) && !hangul.test(word)),
  );
  const joined = folded.some(isJoined) ? await readJoined(db, typed) : [];
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
