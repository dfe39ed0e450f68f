import { volumeOf } from "../gain.ts";
import type { PlayerState, TimeSpan } from "./player-state.ts";

export function spansOf(ranges: TimeRanges): TimeSpan[] {
  return Array.from({ length: ranges.length }, (_, index) => ({
    startS: ranges.start(index),
    endS: ranges.end(index),
  }));
}

/** Returns the current state of the element. */
export function readMedia(media: HTMLVideoElement): Partial<PlayerState> {
  return {
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

export interface MediaListeners {
  commit(patch: Partial<PlayerState>): void;
  onProgress(): void;
  onCanPlay(): void;
  onTimeUpdate(): void;
  onPlay(): void;
  onPause(): void;
  onWaiting(): void;
  onPlaying(): void;
  onSeeking(): void;
  onEnded(): void;
  onSoundChange(): void;
}

/** Commits the values of media events. Nothing else writes them to the state. */
export function listenToMedia(
  media: HTMLVideoElement,
  signal: AbortSignal,
  listeners: MediaListeners,
): void {
  const { commit } = listeners;
  const on = (name: keyof HTMLMediaElementEventMap, react: () => void) =>
    media.addEventListener(name, react, { signal });
  const buffered = () => spansOf(media.buffered);

  on("durationchange", () => {
    if (Number.isFinite(media.duration) && media.duration > 0) {
      commit({ durationS: media.duration });
    }
  });
  on("loadeddata", () => commit({ hasFrame: true, buffered: buffered() }));
  on("canplay", () => {
    commit({ isPlayable: true, isBuffering: false, buffered: buffered() });
    listeners.onCanPlay();
  });
  on("progress", () => {
    commit({ buffered: buffered() });
    listeners.onProgress();
  });
  on("timeupdate", () => {
    commit({ positionS: media.currentTime });
    listeners.onTimeUpdate();
  });
  on("play", () => {
    commit({ isPaused: false, isEnded: false });
    listeners.onPlay();
  });
  on("pause", () => {
    commit({ isPaused: true, positionS: media.currentTime });
    listeners.onPause();
  });
  on("waiting", () => {
    commit({ isBuffering: true });
    listeners.onWaiting();
  });
  on("playing", () => {
    commit({ isBuffering: false, isPlayable: true, hasFrame: true, isAutoplayBlocked: false });
    listeners.onPlaying();
  });
  on("seeking", () => {
    commit({ isSeeking: true, isEnded: false, positionS: media.currentTime });
    listeners.onSeeking();
  });
  on("seeked", () => {
    const isShort = media.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !media.ended;
    commit({ isSeeking: false, isBuffering: isShort, positionS: media.currentTime });
  });
  on("ended", () => listeners.onEnded());
  on("volumechange", () => {
    commit({ volume: volumeOf(media), isMuted: media.muted });
    listeners.onSoundChange();
  });
  on("ratechange", () => commit({ rate: media.playbackRate }));
  media.addEventListener("enterpictureinpicture", () => commit({ isPictureInPicture: true }), {
    signal,
  });
  media.addEventListener("leavepictureinpicture", () => commit({ isPictureInPicture: false }), {
    signal,
  });
}
