import type { Chapter, VideoSound } from "#contract/videos/videos.ts";
import type { AdSlot } from "./ads/ad-provider.ts";

/** Section of the timeline, in seconds. */
interface TimeSpan {
  startS: number;
  endS: number;
}

export interface QualityOption {
  /** Id of a rendition, assigned by the adapter. */
  id: number;
  lines: number;
  bitrate: number;
}

interface CaptionTrack {
  id: string;
  label: string;
  language: string;
}

export type FaultKind = "offline" | "missing" | "limited" | "stalled" | "corrupt" | "unsupported";

/** Playback problem, and whether the player retries. */
export interface PlayerFault {
  kind: FaultKind;
  /** True if the next attempt is scheduled. */
  isRetrying: boolean;
}

/** Public state of a player. Times are in seconds, and the volume is between 0 and 1. */
export interface PlayerState {
  sourceId: string | null;
  isPaused: boolean;
  /** True once playback was requested since the source was set. */
  hasStarted: boolean;
  /** True once a frame of this source has been shown. */
  hasFrame: boolean;
  /** True once enough is loaded to begin, or once the browser waits for the visitor to play. */
  isPlayable: boolean;
  isBuffering: boolean;
  isSeeking: boolean;
  isEnded: boolean;
  positionS: number;
  durationS: number;
  buffered: readonly TimeSpan[];
  volume: number;
  isMuted: boolean;
  rate: number;
  qualities: readonly QualityOption[];
  /** `null` is Auto. */
  selectedQuality: number | null;
  /** Height of the current rendition, if known. */
  activeLines: number | null;
  captions: readonly CaptionTrack[];
  activeCaption: string | null;
  /** Current caption lines and their language. */
  cues: { language: string; lines: readonly VTTCue[] };
  /** Audio tracks. Empty if there is only one. */
  sounds: readonly VideoSound[];
  /** Index of the audio track that plays or will play. */
  activeSound: number;
  chapters: readonly Chapter[];
  isPictureInPicture: boolean;
  /** Ad break that is playing. */
  adSlot: AdSlot | null;
  /** True while the ad of the break is visible. */
  isAdVisible: boolean;
  fault: PlayerFault | null;
  /** True if the video is muted only because the browser doesn't allow sound yet. */
  isMutedByBrowser: boolean;
  /** Position at which the video resumed. Null once the visitor can no longer start over. */
  resumedAtS: number | null;
}

export const emptyState: PlayerState = {
  sourceId: null,
  isPaused: true,
  hasStarted: false,
  hasFrame: false,
  isPlayable: false,
  isBuffering: false,
  isSeeking: false,
  isEnded: false,
  positionS: 0,
  durationS: 0,
  buffered: [],
  volume: 1,
  isMuted: false,
  rate: 1,
  qualities: [],
  selectedQuality: null,
  activeLines: null,
  captions: [],
  activeCaption: null,
  cues: { language: "", lines: [] },
  sounds: [],
  activeSound: 0,
  chapters: [],
  isPictureInPicture: false,
  adSlot: null,
  isAdVisible: false,
  fault: null,
  isMutedByBrowser: false,
  resumedAtS: null,
};

type Overlay = "none" | "loading" | "play" | "fault";

/**
 * Returns the overlay to show: loading until the video is playable and while it buffers, play while
 * it is paused, and none while an ad is visible.
 */
export function chooseOverlay(state: PlayerState): Overlay {
  if (state.adSlot !== null) return state.isAdVisible ? "none" : "loading";
  if (state.fault !== null) return "fault";
  if (!state.isPlayable || state.isBuffering) return "loading";
  if (state.isPaused && !state.isSeeking) return "play";
  return "none";
}

/** Returns the seconds that are buffered without a gap after `positionS`. */
export function bufferedAheadS(spans: readonly TimeSpan[], positionS: number): number {
  const span = spans.find(({ startS, endS }) => startS <= positionS + 0.1 && endS > positionS);
  return span === undefined ? 0 : span.endS - positionS;
}

export function spansOf(ranges: TimeRanges): TimeSpan[] {
  return Array.from({ length: ranges.length }, (_, index) => ({
    startS: ranges.start(index),
    endS: ranges.end(index),
  }));
}

/** Returns the duration if it is known. Streams without an end have none. */
export const readDuration = ({ duration }: HTMLVideoElement): Partial<PlayerState> =>
  duration > 0 && duration < Infinity ? { durationS: duration } : {};

/** Returns the current state of the element. */
export function readMedia(media: HTMLVideoElement): Partial<PlayerState> {
  return {
    ...readDuration(media),
    isPaused: media.paused,
    isPlayable: media.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA,
    hasFrame: media.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
    isSeeking: media.seeking,
    positionS: media.currentTime,
    buffered: spansOf(media.buffered),
    volume: volumeOf(media),
    isMuted: media.muted,
    rate: media.playbackRate,
  };
}

/** Factors that reduce the volume of elements below the one that the visitor has set. */
const gains = new WeakMap<HTMLMediaElement, number>();

const gainOf = (media: HTMLMediaElement): number => gains.get(media) ?? 1;

/** Returns the volume that the visitor has set, from 0 to 1. */
export const volumeOf = (media: HTMLMediaElement): number =>
  Math.min(1, media.volume / gainOf(media));

export function setVolume(media: HTMLMediaElement, volume: number, gain = gainOf(media)): void {
  gains.set(media, gain);
  media.volume = volume * gain;
}

/** Returns the chapter that plays at a position. */
export function chapterAt(chapters: readonly Chapter[], positionS: number): Chapter | null {
  return chapters.findLast(({ startS }) => startS <= positionS) ?? null;
}
