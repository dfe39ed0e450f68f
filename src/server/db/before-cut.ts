import type { Chapter } from "#contract/videos/videos.ts";
import type { StoredCaption } from "./stored-caption.ts";

/** Text whose times a cut has changed. */
export interface ChangedText {
  before: string;
  after: string;
}

/** Passage that a clip shows of its long video. */
export interface ClipPassage {
  startS: number;
  endS: number;
  /** Chosen thumbnail of a clip that isn't made yet; null for others. */
  thumbnailS: number | null;
}

/**
 * State of a video before its first cut. Undoing the cut restores each value, unless somebody has
 * edited it since. Caption files listed here stay in the storage.
 */
export interface BeforeCut {
  chapters: Chapter[];
  midrollTimes: { before: number[]; after: number[] } | null;
  /** `after` is the key of the track's file after the cut; null if the cut removed all lines. */
  captions: { before: StoredCaption; after: string | null }[];
  description: ChangedText | null;
  /** By language. */
  translations: Record<string, ChangedText>;
  /** By id. */
  comments: Record<string, ChangedText>;
  /** By id, with `before` in times of the source. Absent in cuts made by older versions. */
  clips?: Record<string, { before: ClipPassage; after: ClipPassage }>;
}
