import type { ClipPlan } from "#contract/videos/clips.ts";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { Loudness, VideoStatus } from "#contract/videos/videos.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { VideoFiles } from "../files/video-files.ts";

/** Data that processing needs about a video or its new file. */
export interface ProcessedVideo {
  /** Id of the processed item: the video or its new file. */
  id: string;
  videoId: string;
  mediaToken: string;
  /** True if the video plays while it is being reprocessed, so the job isn't urgent. */
  isReprocessing: boolean;
  sourceKey: string;
  status: VideoStatus;
  /** Number of failed attempts since the upload or the last retry. */
  failures: number;
  /** 1 at the end; null if processing was given up. */
  progress: number | null;
  /** Parts of the source to make files of; null for all of it. */
  keptParts: readonly KeptPart[] | null;
  /** True if the video gets other parts when this replaces its files. */
  changesCut: boolean;
  /** Current duration during playback. */
  durationS: number;
  width: number | null;
  height: number | null;
  files: VideoFiles;
  /** Kinds of files that couldn't be made, and that the video lives without. */
  skipped: readonly string[];
  loudness: Loudness | null;
  /** CRF of the ladder; null until it is chosen. */
  ladderCrf: number | null;
  /** Gain applied to the ladder's audio. */
  ladderGainDb: number;
  captions: readonly StoredCaption[];
  /** How to make the source of a clip that has none yet; null for other videos. */
  clip: {
    plan: ClipPlan;
    passage: { startS: number; endS: number };
    /** Null if the long video is deleted or in the trash. */
    long: {
      id: string;
      /** Null if the original was deleted, so that the clip is made from the best rendition. */
      sourceKey: string | null;
      keptParts: readonly KeptPart[] | null;
      files: VideoFiles;
      sha256: Buffer | null;
    } | null;
  } | null;
}

/**
 * Returns whether a video's new file or new renditions are being processed. Until that is done, the
 * video keeps its files.
 */
export const isNewFile = ({ id, videoId }: { id: string; videoId: string }): boolean =>
  id !== videoId;
