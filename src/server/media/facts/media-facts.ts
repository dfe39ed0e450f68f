import type { VideoSound } from "#contract/videos/videos.ts";
import type { Container } from "./input-guards.ts";

/** A fraction, as ffmpeg writes frame rates and aspect ratios. */
export interface Ratio {
  num: number;
  den: number;
}

export interface VideoFacts {
  /** Stream index in the container. */
  index: number;
  codec: string;
  profile: string | null;
  level: number | null;
  /** Of a decoded frame: the header may be wrong. */
  codedWidth: number;
  codedHeight: number;
  /** As shown: pixel aspect ratio and rotation applied. */
  width: number;
  height: number;
  /** Pixel aspect ratio; 1/1 where unknown or absurd. */
  sar: Ratio;
  /** Clockwise rotation that makes the picture upright. */
  rotationDeg: 0 | 90 | 180 | 270;
  /** The display matrix of the container is not a plain rotation and is ignored. */
  hasOddMatrix: boolean;
  /** Declared frames per second, without absurd values; the scan measures the real rate. */
  fps: Ratio;
  pixelFormat: string;
  bitDepth: number;
  isFullRange: boolean;
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  isHdr: boolean;
  isInterlaced: boolean;
  /** Decoding the first frames gave no error. */
  isCleanStart: boolean;
  /** End of the last video frame. */
  endS: number;
}

export interface AudioFacts {
  index: number;
  codec: string;
  profile: string | null;
  channels: number;
  sampleRate: number;
  endS: number;
  /** As the file tells it: "deu", "en", "und"; null where it says nothing. */
  language: string | null;
  title: string | null;
  /**
   * Of the track: with a description of the picture, in another language than the original, with
   * comments.
   */
  kind: VideoSound["kind"];
}

/** A track of subtitles whose lines are text. */
export interface TextTrackFacts {
  index: number;
  codec: string;
  /** As the file tells it: "deu", "en", "und"; null where it says nothing. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  isForced: boolean;
  /** From times in the track, without its edit list, to times of the file. */
  shiftS: number;
}

/** A jump in the timestamps of a source: neither picture nor sound is there for a long time. */
export interface Jump {
  /** In the middle of the gap, in seconds from the start of the file. */
  atS: number;
  /** What is left out. */
  lengthS: number;
}

/** The properties of an accepted file. */
export interface MediaFacts {
  container: Container;
  sizeBytes: number;
  durationS: number;
  /** The file ends before its declared end; `durationS` is the measured duration. */
  isTruncated: boolean;
  /** First timestamp of the file; ffmpeg counts from here. */
  startS: number;
  video: VideoFacts;
  /** The default track if it can be decoded, else the first that can; null without audio. */
  audio: AudioFacts | null;
  /** The other tracks of sound that can be decoded. */
  otherAudio: AudioFacts[];
  texts: TextTrackFacts[];
  chapters: { startS: number; title: string }[];
  /** Left out of everything that is made. The probe knows none: they are found in all packets. */
  jumps: Jump[];
  /** What the admin should know about differences between the source and what plays. */
  notices: string[];
  /** Decoders of streams that are ignored: ffprobe insists on opening them. */
  alsoOpen: string[];
}
