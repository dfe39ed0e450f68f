import type { Container } from "../plan/input-guards.ts";

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
  /** Of a decoded frame, not of the header, which may lie. */
  codedWidth: number;
  codedHeight: number;
  /** As shown: pixel aspect ratio and rotation applied. */
  width: number;
  height: number;
  /** Pixel aspect ratio; 1/1 where unknown or absurd. */
  sar: Ratio;
  /** Clockwise turn that makes it upright. */
  rotationDeg: 0 | 90 | 180 | 270;
  /** The container holds a display matrix that is no plain turn and is ignored. */
  hasOddMatrix: boolean;
  /** Frames per second as declared, sanitised; measured by the scan later. */
  fps: Ratio;
  pixelFormat: string;
  bitDepth: number;
  isFullRange: boolean;
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  isHdr: boolean;
  isInterlaced: boolean;
  /** Decoding the first frames gave no complaint. */
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
}

/** What is known about an accepted file before anything is made from it. */
export interface MediaFacts {
  container: Container;
  sizeBytes: number;
  durationS: number;
  /** The file ends before its declared end; `durationS` is what is really there. */
  isTruncated: boolean;
  /** First timestamp of the file; ffmpeg counts from here. */
  startS: number;
  video: VideoFacts;
  /** The default track if it can be decoded, else the first that can; null without sound. */
  audio: AudioFacts | null;
  /** For the admin: what will differ from the source. */
  warnings: string[];
  /** Decoders of streams that are ignored: ffprobe insists on opening them. */
  alsoOpen: string[];
}
