import { createStore, type ReadableStore } from "#web/lib/store.ts";
import { createCaptionLoading } from "./captions/caption-loading.ts";
import { createEndOfVideo } from "./end-of-video.ts";
import { createFaultHandling } from "./faults/fault-handling.ts";
import { createPlayback, type Playback } from "./playback.ts";
import type { PlayerContext } from "./player-context.ts";
import type { PlayerOptions } from "./player-options.ts";
import { createSeeking, type Seeking } from "./seeking.ts";
import { createSettings, type Settings } from "./settings.ts";
import { unloadMedia } from "./sources/media-adapter.ts";
import { soundChoiceOf } from "./sounds/choose-sound.ts";
import { createSourceLoading, type SourceLoading } from "./sources/source-loading.ts";
import { listenToMedia } from "./state/media-events.ts";
import { emptyState, type PlayerState } from "./state/player-state.ts";

export interface Player
  extends
    Pick<Playback, "play" | "pause" | "toggle">,
    Pick<Settings, "setVolume" | "setMuted" | "setRate">,
    Pick<SourceLoading, "load">,
    Seeking {
  readonly store: ReadableStore<PlayerState>;
  readonly media: HTMLVideoElement;
  selectQuality(lines: number | null): void;
  /** @param index index in the state's `sounds`. */
  selectSound(index: number): void;
  selectCaption(id: string | null): void;
  /** Turns captions off, or turns them on in the best language. */
  toggleCaptions(): void;
  togglePictureInPicture(): void;
  /** Retries immediately after a fault. */
  retry(): void;
  /**
   * Sends the first watch report once. It is sent automatically on load if the options require it.
   */
  beginWatch(): void;
  destroy(): void;
}

/**
 * Creates a player without a user interface. The element's events update the store, and user
 * interfaces read from it. Requests never change a value that the element itself reports.
 */
export function createPlayer(options: PlayerOptions): Player {
  const player: PlayerContext = {
    options,
    store: createStore<PlayerState>(emptyState),
    media: options.media,
    viewing: null,
    shouldPlay: false,
  };
  const { store } = player;
  const playback = createPlayback(player);
  const settings = createSettings(player);
  const seeking = createSeeking(player);
  const faults = createFaultHandling(player, playback, () => sources.changeSource());
  const captions = createCaptionLoading(player);
  const onEnded = createEndOfVideo(player, playback);
  const sources = createSourceLoading(player, {
    playback,
    recovery: faults.recovery,
    bind,
    attachCaptions: () => captions.attach(),
  });
  const life = new AbortController();
  let mediaLife = new AbortController();

  function bind(media: HTMLVideoElement): void {
    mediaLife.abort();
    mediaLife = new AbortController();
    player.media = media;
    listenToMedia(media, mediaLife.signal, {
      commit: store.commit,
      onProgress: () => faults.stallWatch.touch(),
      onCanPlay() {
        faults.stallWatch.touch();
        faults.recovery.clear();
      },
      onTimeUpdate,
      onPlay: () => playback.onPlay(),
      onPause: () => player.viewing?.watch.pause(),
      onWaiting: () => player.viewing?.watch.interrupt(),
      onPlaying() {
        faults.stallWatch.touch();
        faults.recovery.clear();
        player.viewing?.ladder?.consider();
      },
      onSeeking: () => player.viewing?.watch.interrupt(),
      onEnded() {
        player.viewing?.watch.observe(media.duration, media.playbackRate);
        onEnded();
      },
      onSoundChange: () => settings.onSoundChange(),
    });
  }

  function onTimeUpdate(): void {
    const { viewing } = player;
    const { positionS, rate, isSeeking, fault } = store.get();
    if (viewing === null || player.media.paused || isSeeking) return;
    faults.stallWatch.touch();
    if (fault !== null) faults.recovery.clear();
    viewing.watch.observe(positionS, rate);
    viewing.ladder?.consider();
    const adBreak = viewing.ads?.atPosition(positionS) ?? null;
    if (adBreak !== null) playback.holdDuring(adBreak);
  }

  bind(options.media);
  const leave = () => player.viewing?.watch.leave();
  const onVisibility = () => {
    if (document.visibilityState === "hidden") leave();
  };
  document.addEventListener("visibilitychange", onVisibility, { signal: life.signal });
  window.addEventListener("pagehide", leave, { signal: life.signal });

  return {
    store: { get: store.get, subscribe: store.subscribe },
    get media() {
      return player.media;
    },
    load: (source) => sources.load(source),
    play: (request) => playback.play(request),
    pause: () => playback.pause(),
    toggle: () => playback.toggle(),
    ...seeking,
    setVolume: (volume) => settings.setVolume(volume),
    setMuted: (isMuted) => settings.setMuted(isMuted),
    setRate: (rate) => settings.setRate(rate),
    selectQuality(lines) {
      store.commit({ selectedQuality: lines });
      player.viewing?.ladder?.select(lines);
    },
    selectSound(index) {
      store.commit({ activeSound: index });
      const sound = store.get().sounds[index];
      if (sound !== undefined) options.captionMemory.write({ sound: soundChoiceOf(sound) });
      player.viewing?.ladder?.selectSound(index);
    },
    selectCaption: captions.select,
    toggleCaptions: captions.toggle,
    togglePictureInPicture() {
      const { media } = player;
      const change =
        document.pictureInPictureElement === media
          ? document.exitPictureInPicture()
          : media.requestPictureInPicture();
      change.catch((error: unknown) => console.warn("picture in picture refused", error));
    },
    retry: () => faults.recovery.retryNow(),
    beginWatch: () => player.viewing?.watch.begin(),
    destroy() {
      if (life.signal.aborted) return;
      life.abort();
      sources.endViewing();
      faults.dispose();
      mediaLife.abort();
      unloadMedia(player.media);
    },
  };
}
