import type { Db } from "../../db/connection.ts";
import type { TextMatch, VideoFilter, WordsMatch } from "../../db/video-filter.ts";
import type { TextSearch } from "../lists/text-search.ts";
import { joiner, splitWords, toTsquery, type Word } from "./search-query.ts";
import * as repository from "./search.repository.ts";
import { isCorrectable, nearestWords } from "./typo.ts";

/** How many words a typo may stand for. */
const maxAlternatives = 4;

const matchOf = (words: readonly Word[]): WordsMatch => ({
  kind: "words",
  query: toTsquery(words, { isPrefix: true }),
  tiered: toTsquery(words, { isPrefix: true, isTiered: true }),
  whole: toTsquery(words, { isPrefix: false }),
  inNames: toTsquery(words, { isPrefix: true, fields: "A" }),
  inTags: toTsquery(words, { isPrefix: true, fields: "AB" }),
  inCategories: toTsquery(words, { isPrefix: true, fields: "ABC" }),
  text: words.map((word) => word[0] ?? "").join(" "),
});

const asTyped = (words: readonly string[]) => matchOf(words.map((word) => [word]));

export interface SearchService extends TextSearch {
  /** Writes the documents of videos that changed in bulk. */
  refreshStale(signal?: AbortSignal): Promise<void>;
}

export function createSearchService(deps: {
  db: Db;
  /** For searches of visitors. */
  reads?: Db;
}): SearchService {
  const { db, reads = db } = deps;
  const sourceOf = (isPublic: boolean) => (isPublic ? reads : db);

  async function isFound(match: WordsMatch, isPublic: boolean): Promise<boolean> {
    const [found] = await repository.findAny(sourceOf(isPublic), [match], isPublic);
    return found === true;
  }

  /** Those of the words that occur anywhere. Together they occur nowhere, so a single word does not. */
  async function findKnown(words: readonly string[], isPublic: boolean): Promise<string[]> {
    if (words.length === 1) return [];
    const queries = words.map((word) => asTyped([word]));
    const isKnown = await repository.findAny(sourceOf(isPublic), queries, isPublic);
    return words.filter((_word, at) => isKnown[at] === true);
  }

  /** The words, with those that are not known replaced by what they may stand for. */
  async function correct(
    words: readonly string[],
    known: readonly string[],
    isPublic: boolean,
  ): Promise<Word[] | null> {
    if (known.length === words.length) return null;
    const corrected: Word[] = [];
    for (const word of words) {
      if (known.includes(word)) {
        corrected.push([word]);
        continue;
      }
      if (!isCorrectable(word)) return null;
      const near = await repository.listNearWords(sourceOf(isPublic), word);
      const nearest = nearestWords(word, near, maxAlternatives);
      if (nearest.length === 0) return null;
      corrected.push(nearest);
    }
    return corrected;
  }

  async function* readings(
    text: string,
    visibility: VideoFilter["visibility"],
    isWhole: boolean,
  ): AsyncGenerator<TextMatch> {
    const isPublic = visibility === "listed";
    const folded = await repository.foldText(sourceOf(isPublic), text);
    const words = splitWords(folded);
    if (words.length === 0) return;
    const typed = asTyped(words);
    yield typed;
    if (!isWhole && (await isFound(typed, isPublic))) return;
    const known = await findKnown(words, isPublic);
    const corrected = await correct(words, known, isPublic);
    if (corrected !== null) {
      const match = matchOf(corrected);
      yield match;
      if (!isWhole && (await isFound(match, isPublic))) return;
    }
    // Another number is not a typo, and neither are single characters in another order.
    if (words.some((word) => /^\d+$/.test(word) || word.includes(joiner))) return;
    const hasAny = known.length === 0 ? null : matchOf([known]);
    const ids = await repository.listSimilarIds(sourceOf(isPublic), folded, hasAny, isPublic);
    if (ids.length > 0) yield { kind: "titles", ids };
  }

  return {
    rankedMax: repository.rankedMax,

    readings,

    async understand(text, visibility) {
      const isPublic = visibility === "listed";
      for await (const match of readings(text, visibility, true)) {
        if (match.kind === "titles" || (await isFound(match, isPublic))) return match;
      }
      return null;
    },

    async rank(from, match, filter, page) {
      if (match.kind === "titles") return repository.listSimilarPage(from, match.ids, filter, page);
      return repository.rankIds(from, match, filter, page);
    },

    async refreshStale(signal) {
      while ((await repository.refreshStaleDocuments(db)) > 0) signal?.throwIfAborted();
    },
  };
}
