import type { FeedVideo } from "#contract/lists/feed.ts";
import { limits } from "#contract/limits.ts";
import { isSavingData } from "#web/lib/data-saver.ts";
import { preferences, prefersReducedMotion } from "#web/features/player/core/preferences.ts";
import { createPlayer, type Player } from "#web/features/player/core/player.ts";
import {
  toPlayerSource,
  type PlayerSource,
} from "#web/features/player/core/sources/player-source.ts";
import { sendWatchReport } from "#web/features/player/core/watch-tracker.ts";

/**
 * Position of a preloaded clip until it is active, just before the second frame at 24 to 60 frames
 * per second. The first frame is already visible, so playback appears to start one frame sooner.
 */
const waitsAtS = 0.033;

/**
 * Creates the player of one slot of the feed. It has no ads, no stored settings, and no ladder if
 * there is a progressive file. The feed controls the sound, and clips repeat.
 */
export function createClipPlayer(media: HTMLVideoElement, onSilenced: () => void): Player {
  return createPlayer({
    media,
    sendWatch: sendWatchReport(() => "feed"),
    settings: {
      initial: () => ({ volume: preferences.read().volume, isMuted: null, rate: null }),
      save: () => {},
    },
    ads: null,
    resumePoints: null,
    captionMemory: preferences,
    reportsOnLoad: false,
    // The feed shows posters itself, because an element with a poster doesn't decode its first
    // frame.
    showsPoster: false,
    startAtS: waitsAtS,
    wantsLadder: null,
    loopsAtEnd: () => !prefersReducedMotion(),
    onSilenced,
  });
}

/** Returns the small rendition to save data, unless the large one is already loading. */
export function chooseClipSource(
  video: FeedVideo,
  media: HTMLVideoElement,
  normalizesLoudness: boolean,
): PlayerSource {
  const source = toPlayerSource(video, normalizesLoudness);
  const isLoading =
    video.videoUrl !== null && media.currentSrc === new URL(video.videoUrl, document.baseURI).href;
  const smallUrl = isSavingData() && !isLoading ? video.smallVideoUrl : null;
  if (smallUrl === null) return source;
  return { ...source, progressiveUrl: smallUrl, fileGain: source.ladderGain };
}

/**
 * Called when the clip is on screen. Starts it after the autoplay delay and counts the viewing.
 * Pauses while the page is hidden, except in picture-in-picture. Returns a function that ends this.
 */
export function activateClip(player: Player): () => void {
  const isPlaying = () => !player.store.get().isPaused;
  // A clip in picture-in-picture is visible while the page is hidden.
  const isHidden = () =>
    document.visibilityState === "hidden" && !player.store.get().isPictureInPicture;
  const play = () => player.play({ isAutoplay: true });
  /** Called once the page is visible again. */
  let onShown: (() => void) | null = null;
  const start = () => {
    if (isHidden()) {
      player.pause();
      onShown = start;
      return;
    }
    player.beginWatch();
    if (!prefersReducedMotion()) play();
  };
  // The clip that came with the page is already playing.
  const timer = window.setTimeout(start, isPlaying() ? 0 : limits.autoplayDelayMs);
  const onVisibility = () => {
    if (isHidden()) {
      if (isPlaying()) onShown = play;
      player.pause();
    } else {
      onShown?.();
      onShown = null;
    }
  };
  const life = new AbortController();
  for (const name of ["visibilitychange", "leavepictureinpicture"]) {
    document.addEventListener(name, onVisibility, { signal: life.signal });
  }
  return () => {
    window.clearTimeout(timer);
    life.abort();
    player.pause();
  };
}
