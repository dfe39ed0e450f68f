import type { VideoSound } from "#contract/videos/videos.ts";
import type { Container } from "./input-guards.ts";
import type { Timeline } from "./timeline.ts";

/** Fraction in the form ffmpeg uses for frame rates and aspect ratios. */
export interface Ratio {
  num: number;
  den: number;
}

/** Matrix of Dolby Vision without a base layer that other players can show (profile 5). */
export const dolbyVisionMatrix = "dolby-vision";

export interface VideoFacts {
  /** Stream index in the container. */
  index: number;
  codec: string;
  profile: string | null;
  level: number | null;
  /** Size of a decoded frame, because the header may be wrong. */
  codedWidth: number;
  codedHeight: number;
  /** Displayed size, after pixel aspect ratio and rotation. */
  width: number;
  height: number;
  /** Pixel aspect ratio; 1/1 if unknown or implausible. */
  sar: Ratio;
  /** True if the picture is mirrored (left to right) before it is rotated. */
  isMirrored: boolean;
  /** Clockwise rotation that makes the picture upright. */
  rotationDeg: 0 | 90 | 180 | 270;
  /**
   * Kind of the container's display matrix. "plain": none, or a rotation that every browser
   * applies. "unusual": it also mirrors or scales, which some browsers ignore. "ignored": it isn't
   * a multiple of 90 degrees.
   */
  displayMatrix: "plain" | "unusual" | "ignored";
  /** Declared frames per second, without implausible values. The scan measures the real rate. */
  fps: Ratio;
  pixelFormat: string;
  bitDepth: number;
  isFullRange: boolean;
  /** Colors with ffmpeg's names, or `dolbyVisionMatrix`. Null if the file doesn't name them. */
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  /** True if the file names a color by a reserved code, as some Samsung phones do. */
  hasReservedColors: boolean;
  isHdr: boolean;
  isInterlaced: boolean;
  /**
   * True if the file declares several decoder configurations for the track. A copy would only have
   * the first.
   */
  hasSeveralConfigs: boolean;
  /** True if the first frames decoded without errors. */
  isCleanStart: boolean;
  /** End of the last video frame. */
  endS: number;
  /** Parts that play; null if the whole track plays. Either all tracks of a file have one, or none. */
  timeline: Timeline | null;
  /**
   * True if the timelines count in times after the file's edit list, which ffmpeg follows. Otherwise
   * they count in times of the media.
   */
  followsEdits?: boolean;
}

export interface AudioFacts {
  index: number;
  /** Index of the track with the right channel, if this one only has the left channel. */
  rightIndex?: number;
  codec: string;
  profile: string | null;
  channels: number;
  /** False if ffmpeg can't mix the channels, because it doesn't know where they belong. */
  isMixable: boolean;
  sampleRate: number;
  /** See `VideoFacts`. */
  hasSeveralConfigs: boolean;
  /** Seconds from the start of the video to the first sound. May be negative. */
  startS: number;
  endS: number;
  /** See `VideoFacts`. */
  timeline: Timeline | null;
  /** Language code in the file: "deu", "en", "und"; null if missing. */
  language: string | null;
  title: string | null;
  /** Kind of the track: audio description, dub or commentary. */
  kind: VideoSound["kind"];
}

/** Track of text subtitles. */
export interface TextTrackFacts {
  index: number;
  codec: string;
  /** Language code in the file: "deu", "en", "und"; null if missing. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  isForced: boolean;
  /** True if it describes the picture for blind people. */
  isDescription: boolean;
  /** Parts that play; null in containers without edit lists, whose times count from `startS`. */
  timeline: Timeline | null;
}

/** Jump in a source's timestamps. For a long time there is neither picture nor audio. */
export interface Jump {
  /** Middle of the gap, in seconds from the start of the file. */
  atS: number;
  /** Length that is removed. */
  lengthS: number;
}

/** Properties of an accepted file. */
export interface MediaFacts {
  container: Container;
  sizeBytes: number;
  durationS: number;
  /** True if the file ends before its declared end. `durationS` is then the measured duration. */
  isTruncated: boolean;
  /** First timestamp of the file, from which ffmpeg counts. */
  startS: number;
  video: VideoFacts;
  /**
   * Default track if it can be decoded, otherwise the first track that can be; null without audio.
   */
  audio: AudioFacts | null;
  /** Other audio tracks that can be decoded. */
  otherAudio: AudioFacts[];
  texts: TextTrackFacts[];
  chapters: { startS: number; title: string }[];
  /**
   * Jumps to remove from all outputs. Empty after the probe, because finding them requires reading
   * all packets.
   */
  jumps: Jump[];
  /** Notices for the admin about differences between the source and the playable files. */
  notices: string[];
  /** Decoders for ignored streams. ffprobe opens them in any case. */
  alsoOpen: string[];
}

const standardRates: readonly Ratio[] = [
  { num: 24000, den: 1001 },
  { num: 24, den: 1 },
  { num: 25, den: 1 },
  { num: 30000, den: 1001 },
  { num: 30, den: 1 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60000, den: 1001 },
  { num: 60, den: 1 },
];

const fastest = 60;
/**
 * Minimum rate. Below it, seeking and HLS segments become coarse. Repeating frames to reach it
 * costs almost nothing.
 */
const slowest = 5;

/** Measurements of the packets of a source. */
export interface MeasuredRate {
  /** Number of frames divided by time. */
  averageFps: number;
  /** One over the median distance between frames. */
  medianFps: number;
  /** One over the mean of the distances that are close to the median, so without pauses. */
  steadyFps: number;
  isVariable: boolean;
}

export function toFps(rate: Ratio): number {
  return rate.num / rate.den;
}

/**
 * Returns the constant frame rate of all renditions. A constant source keeps its rate, without
 * counting pauses. A rate above 60 is divided by a whole number, so that motion stays smooth. A
 * variable source gets its average rate, or its median rate up to 30 if pauses lower the average
 * (screen recordings).
 */
export function planFrameRate(declared: Ratio, measured: MeasuredRate | null): Ratio {
  if (measured === null || !(measured.averageFps > 0)) return clampRate(declared);
  if (measured.isVariable) {
    const usual = Math.min(30, measured.medianFps);
    return clampRate(snapRate(Math.min(fastest, Math.max(measured.averageFps, usual))));
  }
  // The declared rate may count pauses, and the time before the first frame of a fragmented file.
  const isDeclaredSteady = Math.abs(toFps(declared) / measured.steadyFps - 1) < sameRate;
  return clampRate(isDeclaredSteady ? declared : snapRate(measured.steadyFps));
}

/** Maximum relative difference of equal rates: half of that between 59.94 and 60. */
const sameRate = 0.0005;

function snapRate(fps: number): Ratio {
  const distance = (rate: Ratio): number => Math.abs(toFps(rate) / fps - 1);
  const near = standardRates.toSorted((a, b) => distance(a) - distance(b))[0];
  if (near !== undefined && distance(near) < 0.004) return near;
  return { num: Math.max(1, Math.round(fps * 1000)), den: 1000 };
}

function clampRate(rate: Ratio): Ratio {
  const fps = toFps(rate);
  if (!Number.isFinite(fps) || fps < slowest) return { num: slowest, den: 1 };
  const divisor = Math.ceil(fps / (fastest + 0.5));
  return { num: rate.num, den: rate.den * divisor };
}
