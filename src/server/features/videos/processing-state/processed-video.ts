import type { Loudness, VideoStatus } from "#contract/videos/videos.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { VideoFiles } from "../files/video-files.ts";

/** What processing needs to know of a video, or of the new file of one. */
export interface ProcessedVideo {
  /** Of what is processed: of the video itself, or of the new file. */
  id: string;
  videoId: string;
  mediaToken: string;
  /** The renditions of the video are made again, beside those that play: there is no hurry. */
  isRenewal: boolean;
  sourceKey: string;
  status: VideoStatus;
  /** Failed attempts since the upload or the last retry. */
  failures: number;
  /** 1 at the end, null where it was given up. */
  progress: number | null;
  /** As it plays now. */
  durationS: number;
  width: number | null;
  height: number | null;
  files: VideoFiles;
  loudness: Loudness | null;
  /** The rate factor of the ladder; null until it is chosen. */
  ladderCrf: number | null;
  /** By which the sound of the ladder was raised or lowered. */
  ladderGainDb: number;
  captions: readonly StoredCaption[];
}

/**
 * Whether a new file, or new renditions, of a video are processed: the video itself keeps its files
 * meanwhile.
 */
export const isNewFile = ({ id, videoId }: Pick<ProcessedVideo, "id" | "videoId">): boolean =>
  id !== videoId;
