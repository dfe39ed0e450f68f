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
  /** The words as they were typed, not looked for yet; `null` where there are none. */
  readAsTyped(text: string): Promise<TextMatch | null>;
  /**
   * For a list that has nothing with the words as they were typed: what was meant, unless they do
   * occur, only not in that list.
   */
  readOtherwise(text: string, visibility: ListFilter["visibility"]): Promise<TextMatch | null>;
  /**
   * Both, for those that make no list: reads what a person typed. Words are corrected only where nothing is found as they stand.
   * `null` where nothing can be found.
   */
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
