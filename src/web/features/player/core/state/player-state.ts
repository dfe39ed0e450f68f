import type { AdSlot } from "../ads/ad-provider.ts";

/** A stretch of the timeline, in seconds. */
export interface TimeSpan {
  startS: number;
  endS: number;
}

export interface QualityOption {
  /** Place in the ladder as the adapter counts it. */
  id: number;
  height: number;
  bitrate: number;
}

export interface CaptionTrack {
  id: string;
  label: string;
  language: string;
}

export type FaultKind = "offline" | "missing" | "stalled" | "corrupt" | "unsupported";

/** Something is wrong, and the player is doing something about it. */
export interface PlayerFault {
  kind: FaultKind;
  /** A further attempt is on its way without the visitor's doing. */
  isRetrying: boolean;
}

/** All that a screen can know about a player. Times in seconds, volume 0 to 1. */
export interface PlayerState {
  sourceId: string | null;
  isPaused: boolean;
  /** The content has been asked to play at least once since the source was set. */
  hasStarted: boolean;
  /** A frame of this source has been shown. */
  hasFrame: boolean;
  /** Enough is loaded to begin. */
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
  /** Lines of the picture that plays now, where known. */
  activeHeight: number | null;
  captions: readonly CaptionTrack[];
  activeCaption: string | null;
  isPictureInPicture: boolean;
  /** The ad break that holds the stage. */
  adSlot: AdSlot | null;
  /** Its ad is on the screen; until then the stage is still being set. */
  isAdVisible: boolean;
  fault: PlayerFault | null;
  /** The browser refused to start by itself; a gesture is needed. */
  isAutoplayBlocked: boolean;
  /** The sound is off only because the browser does not allow it yet. */
  isMutedByBrowser: boolean;
  /** Where this visitor had left off, while it can still be undone. */
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
  activeHeight: null,
  captions: [],
  activeCaption: null,
  isPictureInPicture: false,
  adSlot: null,
  isAdVisible: false,
  fault: null,
  isAutoplayBlocked: false,
  isMutedByBrowser: false,
  resumedAtS: null,
};

export type Overlay = "none" | "loading" | "play" | "fault";

/**
 * What lies over the picture: loading until playable and while buffering, play while paused
 * (specification, section 4), nothing while an ad holds the stage.
 */
export function overlayOf(state: PlayerState): Overlay {
  if (state.adSlot !== null) return state.isAdVisible ? "none" : "loading";
  if (state.fault !== null) return "fault";
  if (!state.isPlayable || state.isBuffering) return "loading";
  if (state.isPaused && !state.isSeeking) return "play";
  return "none";
}

/** How far ahead of `positionS` the picture is loaded without a gap, in seconds. */
export function bufferedAheadS(spans: readonly TimeSpan[], positionS: number): number {
  const span = spans.find(({ startS, endS }) => startS <= positionS + 0.1 && endS > positionS);
  return span === undefined ? 0 : span.endS - positionS;
}

/** Words for a fault: what happened, and what the player does about it. */
export const faultWords: Record<FaultKind, { title: string; hint: string }> = {
  offline: { title: "You are offline", hint: "Playback goes on when the connection is back." },
  missing: { title: "A part of this video cannot be loaded", hint: "Trying again." },
  stalled: { title: "The connection has stalled", hint: "Trying again." },
  corrupt: { title: "A part of this video is damaged", hint: "Trying to get past it." },
  unsupported: {
    title: "This video cannot be played here",
    hint: "Your browser does not support its format.",
  },
};
