import type { DbOrTrx } from "#server/db/connection.ts";
import type { VideoReason } from "#server/lib/video-reasons.ts";
import type { TextMatch, VideoFilter } from "./video-filter.sql.ts";

export interface RankedPage {
  ids: string[];
  total: number;
}

/** Field of a video that contains words of a search. */
export interface FoundField {
  reason: VideoReason;
  /** True if the field and the others, without captions, contain all words. */
  hasAllWords: boolean;
}

/** Search functions that lists need. The search feature implements them. */
export interface TextSearch {
  /** Maximum number of videos that a list by relevance ranks and contains. */
  readonly rankedMax: number;
  /**
   * Yields readings of the text, most likely first: the words as typed, then without typos, then
   * most of the words. Request the next one only while a list is empty. Words that occur somewhere,
   * but not in that list, get no other reading.
   * @param isWhole true if the list contains everything visible, so that "not in the list" means
   * "nowhere".
   */
  readings(
    text: string,
    visibility: VideoFilter["visibility"],
    isWhole: boolean,
  ): AsyncIterable<TextMatch>;
  /** Returns the first reading that finds any video, or null. */
  understand(text: string, visibility: VideoFilter["visibility"]): Promise<TextMatch | null>;
  /**
   * Returns the words of a video that match those of a search, if their spelling differs.
   * @param names its title and labels.
   */
  spelledAs(match: TextMatch, names: readonly string[]): Promise<string | null>;
  /**
   * Returns the field of each video that contains the most words, and among equal ones the one with
   * the highest weight. Leaves out captions, and videos without any of the words.
   */
  listFields(ids: readonly string[], match: TextMatch): Promise<Map<string, FoundField>>;
  /**
   * Returns the time in seconds at which the words are spoken in these videos, according to
   * captions.
   */
  listSpoken(ids: readonly string[], match: TextMatch): Promise<Map<string, number>>;
  /** Returns ids sorted by relevance, and their number. There are at most `rankedMax`. */
  rank(
    db: DbOrTrx,
    match: TextMatch,
    filter: VideoFilter,
    page: { limit: number; offset: number },
  ): Promise<RankedPage>;
}
