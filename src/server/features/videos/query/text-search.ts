import type { DbOrTrx } from "#server/db/connection.ts";
import type { TextMatch, VideoFilter } from "./video-filter.sql.ts";

export interface RankedPage {
  ids: string[];
  total: number;
}

/** What lists need of the search; the search feature implements it. */
export interface TextSearch {
  /** How many videos a list by relevance ranks, and therefore holds, at most. */
  readonly rankedMax: number;
  /**
   * What the text may mean, the likeliest first: the words as typed, then without typos, then titles
   * that look alike. Ask for the next one only while a list is empty: words that occur somewhere,
   * only not in that list, are not read in another way.
   * @param isWhole the list holds all that is visible, so "not in the list" means "nowhere".
   */
  readings(
    text: string,
    visibility: VideoFilter["visibility"],
    isWhole: boolean,
  ): AsyncIterable<TextMatch>;
  /** The first of the readings that finds any video, or null. */
  understand(text: string, visibility: VideoFilter["visibility"]): Promise<TextMatch | null>;
  /**
   * The words of a document that stand for those of a search, where these are others.
   * @param document words of its title and labels, folded.
   */
  spelledAs(match: TextMatch, document: string): string | null;
  /** When the words are said in these videos, in seconds, by the captions. */
  listSpoken(ids: readonly string[], match: TextMatch): Promise<Map<string, number>>;
  /** Ids by relevance, and how many there are: never more than `rankedMax`. */
  rank(
    db: DbOrTrx,
    match: TextMatch,
    filter: VideoFilter,
    page: { limit: number; offset: number },
  ): Promise<RankedPage>;
}
