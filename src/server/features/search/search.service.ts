import type { Db } from "#server/db/connection.ts";
import type {
  TextMatch,
  VideoFilter,
  WordsMatch,
} from "#server/features/videos/query/video-filter.sql.ts";
import type { TextSearch } from "#server/features/videos/query/text-search.ts";
import { rankClosest, closestWord } from "./closest-documents.ts";
import { withEqualWords } from "./equal-words.ts";
import { divideUnspaced, readParts } from "./part-words.ts";
import { isUnspaced, joiner, splitWords, toTsquery, type Term, type Word } from "./search-query.ts";
import * as repository from "./search.repository.ts";
import { listCompletions } from "./spelling.repository.ts";
import { createSpelling, type Spelling } from "./spelling.ts";

/**
 * Returns the typed text in the spelling of the found document, without words that it doesn't
 * contain. Returns null if nothing changes.
 * @param document folded words of its title and labels.
 */
function spelledAs({ spelled }: TextMatch, document: string): string | null {
  if (spelled === null) return null;
  const has = document.split(" ").filter((word) => word !== "");
  const words = spelled.flatMap(({ typed, texts }) => {
    for (const text of texts) {
      if (text.includes(" ")) {
        if (document.includes(text)) return [text];
        continue;
      }
      const found = has.includes(text) ? text : has.find((word) => word.startsWith(text));
      // The word that is still being typed stays unchanged.
      if (found !== undefined) return [text === typed ? typed : found];
    }
    return closestWord(typed, has) ?? [];
  });
  const typed = spelled.map((word) => word.typed).join(" ");
  const meant = words.join(" ");
  return meant === "" || meant === typed ? null : meant;
}

/** Search as the visitor typed it: `moon "quiet harbour" -night`. */
interface SearchText {
  words: string;
  /** Quoted phrases, whose words must follow each other. */
  phrases: string[];
  /** Words after a minus. Videos that contain them are left out. */
  excluded: string[];
}

/** Inside a word such as `27"-monitor`, quotes and hyphens are separators. `--help` is a word. */
const part = /(?<minus>(?<!\S)-(?!-))?(?:(?<![\p{L}\p{N}])"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;
const hasLetter = /[\p{L}\p{N}]/u;

/**
 * Splits a search into words, quoted phrases and excluded words. A search that has only excluded
 * words would find nothing, so its minus is ignored.
 */
function parseSearchText(typed: string): SearchText {
  const words: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  for (const { groups = {} } of typed.replace(/[“”„«»]/g, '"').matchAll(part)) {
    const text = groups.phrase ?? groups.word ?? "";
    if (groups.minus !== undefined && hasLetter.test(text)) excluded.push(text);
    else if (groups.phrase === undefined) words.push(text);
    else phrases.push(text);
  }
  if (words.length === 0 && phrases.length === 0) {
    return { words: excluded.join(" "), phrases, excluded: [] };
  }
  return { words: words.join(" "), phrases, excluded };
}

/** Options for the search of a visitor who is still typing the last word. */
interface ReadOptions {
  /** Minimum length from which the last word counts as a prefix. */
  typed?: number;
}

/** Typed text, folded. */
interface FoldedText {
  words: string[];
  /** The same words as typed. */
  typedText: string;
  phrases: Word[];
  /** Query for the excluded words, or null. */
  excluded: string | null;
}

const textOf = ({ text }: Term): string => text;

/** Number of rarest words. Any two of them must occur, otherwise any one. */
const rarestMax = 5;
const closestMax = 50;
/** Number of corrected readings compared with the start of names and titles. */
const beginningsMax = 24;

export interface SearchService extends TextSearch {
  understand(
    text: string,
    visibility: VideoFilter["visibility"],
    options?: ReadOptions,
  ): Promise<TextMatch | null>;
  /** Writes the documents of videos that changed in bulk. */
  refreshStale(signal?: AbortSignal): Promise<void>;
}

/**
 * Returns the words that occur anywhere. They don't occur together, so a single word doesn't
 * occur at all.
 */
async function findKnown(
  words: readonly string[],
  source: Db,
  isPublic: boolean,
  options: ReadOptions,
): Promise<Set<string>> {
  if (words.length === 1) return new Set();
  const queries = words.map((word) => matchOf(withEqualWords([word]), [word], null, options));
  const isKnown = await repository.findKnown(source, queries, isPublic);
  return new Set(words.filter((_word, at) => isKnown[at] === true));
}

/**
 * Returns documents with most of the words, closest first: with all but one word, otherwise any
 * two of the rarest, otherwise one of them. Common words are dropped first.
 */
async function findClosest(
  words: readonly string[],
  spelling: Spelling,
  source: Db,
  isPublic: boolean,
): Promise<string[]> {
  // The spelling only knows words between spaces.
  const wordsFor = (word: string): Word =>
    isUnspaced(word) ? [{ text: word }] : spelling.wordsFor(word);
  const known = words.filter((word) => wordsFor(word).length > 0);
  if (words.length === 1 || known.length === 0) return [];
  const matchWords = (some: readonly string[]) => matchOf(some.map(wordsFor), some, null);
  const matches = known.map((word) => matchWords([word]));
  const matchCounts = await repository.countMatches(source, matches, isPublic);
  const counts = new Map(known.map((word, index) => [word, matchCounts[index] ?? 0]));
  const countOf = (word: string) => counts.get(word) ?? 0;
  const weighed = words.map((word) => ({ text: word, weight: rarity(countOf(word)) }));
  const rarest = known.toSorted((a, b) => countOf(a) - countOf(b)).slice(0, rarestMax);
  const pairs = rarest.flatMap((first, index) =>
    rarest.slice(index + 1).map((next) => [first, next]),
  );
  const singles = rarest.map((word) => [word]);
  const others = known.map((left) => known.filter((word) => word !== left));
  for (const subsets of [[known, ...others], pairs, singles]) {
    const tried = subsets.filter((some) => some.length > 0 && canReplace(words, some));
    if (tried.length === 0) continue;
    const documents = await repository.listDocuments(source, tried.map(matchWords), isPublic);
    if (documents.length > 0) return rankClosest(weighed, documents).slice(0, closestMax);
  }
  return [];
}

export function createSearchService(deps: {
  db: Db;
  /** Database for visitors' searches. */
  reads?: Db;
}): SearchService {
  const { db, reads = db } = deps;
  const sourceOf = (isPublic: boolean) => (isPublic ? reads : db);

  async function fold(typed: string, isPublic: boolean): Promise<FoldedText> {
    const { words, phrases, excluded } = parseSearchText(typed);
    const texts = [words, ...phrases, ...excluded];
    const [folded = "", ...rest] = await repository.foldTexts(sourceOf(isPublic), texts);
    const inRow = (text: string): Word[] => (text === "" ? [] : [[{ text: text, isWhole: true }]]);
    const excludedWords = rest.slice(phrases.length).flatMap(inRow);
    return {
      words: splitWords(folded),
      typedText: words,
      phrases: rest.slice(0, phrases.length).flatMap(inRow),
      excluded:
        excludedWords.length === 0 ? null : toTsquery([excludedWords.flat()], { isPrefix: false }),
    };
  }

  const hasResults = (match: WordsMatch, isPublic: boolean) =>
    repository.hasMatches(sourceOf(isPublic), match, isPublic);

  async function* readings(
    given: string,
    visibility: VideoFilter["visibility"],
    isWhole: boolean,
    options: ReadOptions = {},
  ): AsyncGenerator<TextMatch> {
    const isPublic = visibility === "listed";
    const { words, phrases, excluded, typedText } = await fold(given, isPublic);
    // For several words, the index reads all rows of each prefix. For one word, it reads only the
    // newest.
    const begun = words.length > 1 ? words.filter((word) => !word.includes(joiner)) : [];
    const completions = await listCompletions(sourceOf(isPublic), begun);
    const completed = (word: Word): Word =>
      word.map((term) => ({ ...term, completions: completions.get(term.text) }));
    const typedWords = [...phrases, ...withEqualWords(words).map(completed)];
    if (typedWords.length === 0) return;
    const text = [...phrases.flat().map(textOf), ...words];
    const typed = matchOf(typedWords, text, excluded, options);
    yield typed;
    // Quoted or excluded words are taken literally.
    if (phrases.length > 0 || excluded !== null) return;
    if (!isWhole && (await hasResults(typed, isPublic))) return;

    for await (const parts of readParts(sourceOf(isPublic), typedText, words)) {
      const match = matchOf(parts, words, null);
      yield match;
      if (!isWhole && (await hasResults(match, isPublic))) return;
    }

    const known = await findKnown(words, sourceOf(isPublic), isPublic, options);
    const spelling = await createSpelling(sourceOf(isPublic), words, known);
    for (const way of spelling.ways()) {
      const match = {
        ...matchOf(
          way.map(({ word }) => completed(word)),
          words,
          null,
          options,
        ),
        spelled: way.map(({ typed: from, word }) => ({ typed: from, texts: word.map(textOf) })),
      };
      yield match;
      if (!isWhole && (await hasResults(match, isPublic))) return;
    }
    const spelled = words.map((word) => ({
      typed: word,
      texts: spelling.wordsFor(word).map(textOf),
    }));
    const closest = await findClosest(
      await withDividedWords(words, typedText, sourceOf(isPublic)),
      spelling,
      sourceOf(isPublic),
      isPublic,
    );
    if (closest.length > 0) yield { kind: "titles", ids: closest, spelled };
  }

  return {
    rankedMax: repository.rankedMax,

    readings,

    async spelledAs(match, names) {
      const [document = ""] = await repository.foldTexts(reads, [names.join(" ")]);
      return spelledAs(match, document);
    },

    async listFields(ids, match) {
      const words =
        match.kind === "words"
          ? match.query.split(" & ")
          : match.spelled
              .filter(({ texts }) => texts.length > 0)
              .map(({ texts }) => toTsquery([texts.map((text) => ({ text }))], { isPrefix: true }));
      return repository.listFields(reads, ids, words);
    },

    async understand(text, visibility, options = {}) {
      const isPublic = visibility === "listed";
      for await (const match of readings(text, visibility, true, options)) {
        if (match.kind === "titles" || (await hasResults(match, isPublic))) return match;
      }
      return null;
    },

    async rank(from, match, filter, page) {
      if (match.kind === "titles") return repository.listClosestPage(from, match.ids, filter, page);
      return repository.rankVideos(from, match, filter, page);
    },

    async listSpoken(ids, match) {
      if (match.kind === "titles" || ids.length === 0) return new Map();
      return repository.listSpoken(reads, ids, match);
    },

    async refreshStale(signal) {
      while ((await repository.refreshStaleDocuments(db)) > 0) signal?.throwIfAborted();
    },
  };
}

/** Divides words of scripts without spaces, so that some of them can be left out. */
async function withDividedWords(
  words: readonly string[],
  typed: string,
  source: Db,
): Promise<readonly string[]> {
  if (!words.some((word) => word.includes(joiner))) return words;
  const divided = await divideUnspaced(source, typed);
  return [...words.filter((word) => !isUnspaced(word)), ...divided];
}

/** Returns the weight of a word that occurs in this many documents. */
function rarity(count: number): number {
  return Math.log(1 + repository.countedMax / Math.max(1, count));
}

/**
 * Returns whether these words may replace the typed ones. Doesn't drop a number if there are only
 * two words, because "Lanterns 3" is a different video than "Lanterns".
 */
function canReplace(words: readonly string[], kept: readonly string[]): boolean {
  return words.length > 2 || kept.length > 1 || !words.some((word) => /^\d+$/.test(word));
}

/** Builds queries for words with several readings each. */
function matchOf(
  words: readonly Word[],
  typed: readonly string[],
  excluded: string | null,
  options: ReadOptions = {},
): WordsMatch {
  const form = { isPrefix: true, ...options };
  return {
    kind: "words",
    query: toTsquery(words, form),
    tiered: toTsquery(words, { ...form, isTiered: true }),
    whole: toTsquery(words, { isPrefix: false }),
    nearest: words.every((word) => word.length === 1)
      ? null
      : toTsquery(
          words.map((word) => word.slice(0, 1)),
          form,
        ),
    inNames: toTsquery(words, { ...form, fields: "A" }),
    inTags: toTsquery(words, { ...form, fields: "AB" }),
    inCategories: toTsquery(words, { ...form, fields: "ABC" }),
    excluded,
    spelled: null,
    text: typed.join(" "),
    beginnings: toPrefixes(words),
  };
}

/** Returns the combined readings of the words, using the likeliest of each. */
function toPrefixes(words: readonly Word[]): string[] {
  let texts = [""];
  for (const word of words) {
    const next = word.slice(0, beginningsMax).map(({ text }) => text);
    texts = texts.flatMap((text) => next.map((each) => (text === "" ? each : `${text} ${each}`)));
    texts = texts.slice(0, beginningsMax);
  }
  return texts;
}
