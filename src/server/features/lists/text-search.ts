import type { DbOrTrx } from "../../db/connection.ts";
import type { ListFilter } from "./list-filter.ts";

/** Words as queries of PostgreSQL. In each, a word that was corrected stands for several. */
export interface WordsMatch {
  kind: "words";
  /** Every word, as a beginning. */
  query: string;
  /** Every word whole. */
  whole: string;
  /** As `query`, only in: title and actors; these and tags; these and categories. */
  inNames: string;
  inTags: string;
  inCategories: string;
  /** Folded, with corrections. */
  text: string;
}

/** What a search asks for: words, or titles that merely look alike, the nearest first. */
export type TextMatch = WordsMatch | { kind: "titles"; ids: string[] };

/** What lists need of the search. Made by the search feature. */
export interface TextSearch {
  /** How many videos a list by relevance ranks, and therefore holds, at most. */
  readonly rankedMax: number;
  /**
   * What a person who typed this may have meant, the likeliest first: the words as they stand, then
   * without typos, then titles that look alike. Made to be asked for more only while a list has
   * nothing: words that do occur, only not in that list, are not read in another way. `isWhole` says
   * that the list holds all that is visible, so that "not in the list" is "nowhere".
   */
  readings(
    text: string,
    visibility: ListFilter["visibility"],
    isWhole: boolean,
  ): AsyncIterable<TextMatch>;
  /** The first of the readings that finds anything at all, for those that make no list. */
  understand(text: string, visibility: ListFilter["visibility"]): Promise<TextMatch | null>;
  /**
   * Ids by relevance, and how many there are: never more than `rankedMax`.
   */
  rank(
    db: DbOrTrx,
    match: TextMatch,
    filter: ListFilter,
    page: { limit: number; offset: number },
  ): Promise<{ ids: string[]; total: number }>;
}
