import type { Chapter } from "#contract/videos/videos.ts";
import type { StoredCaption } from "./stored-caption.ts";

/** Text with times that a cut has changed. */
export interface ChangedText {
  before: string;
  after: string;
}

/**
 * State of a video before its first cut. Undoing the cut restores each value, unless somebody has
 * edited it since. Caption files listed here stay in the storage.
 */
export interface BeforeCut {
  chapters: Chapter[];
  midrollTimes: { before: number[]; after: number[] } | null;
  /** By the id of each track. Null in `after` if nothing of it remained. */
  captions: { before: StoredCaption; after: string | null }[];
  description: ChangedText | null;
  /** By language. */
  translations: Record<string, ChangedText>;
  /** By the id of each comment. */
  comments: Record<string, ChangedText>;
}
