import { createStore, type ReadableStore } from "#web/lib/store.ts";
import { createEndOfVideo, createPlayback, type Playback } from "./playback.ts";
import { createFaultHandling } from "./faults.ts";
import type { PlayerContext, PlayerOptions } from "./player-context.ts";
import { unloadMedia } from "./sources/media-adapter.ts";
import { soundChoiceOf } from "./sources/player-source.ts";
import { createSourceLoading, type SourceLoading } from "./source-loading.ts";
import { listenToMedia, emptyState, type PlayerState, setVolume } from "./player-state.ts";
import type { Captions } from "./captions.ts";

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

/** Controls the volume, mute and speed. */
interface Settings {
  setVolume(volume: number): void;
  setMuted(isMuted: boolean): void;
  setRate(rate: number): void;
  /** Call it when the element's sound has changed for any reason. */
  onSoundChange(): void;
}

/** Volume after unmuting a player whose volume is zero. */
const audibleVolume = 0.5;

function createSettings(player: PlayerContext): Settings {
  const { store, options } = player;
  return {
    setVolume(volume) {
      const { media } = player;
      setVolume(media, Math.min(1, Math.max(0, volume)));
      if (media.volume > 0) media.muted = false;
    },
    setMuted(isMuted) {
      const { media } = player;
      media.muted = isMuted;
      if (!isMuted && media.volume === 0) setVolume(media, audibleVolume);
    },
    setRate(rate) {
      player.media.playbackRate = rate;
      player.media.defaultPlaybackRate = rate;
      options.settings.save({ rate });
    },
    onSoundChange() {
      const { isMuted, volume } = store.get();
      if (!isMuted) store.commit({ isMutedByBrowser: false });
      // Don't save a mute that the browser enforced, because the visitor didn't choose it.
      if (!store.get().isMutedByBrowser) options.settings.save({ isMuted, volume });
    },
  };
}

interface Seeking {
  seekTo(positionS: number): void;
  seekBy(deltaS: number): void;
  /** Seeks to the beginning of a resumed video. */
  startOver(): void;
}

function createSeeking(player: PlayerContext): Seeking {
  const { store } = player;

  function seekTo(positionS: number): void {
    const { durationS, adSlot } = store.get();
    if (player.viewing === null || adSlot !== null) return;
    const target = Math.min(Math.max(0, positionS), durationS || positionS);
    store.commit({ positionS: target, resumedAtS: null });
    player.media.currentTime = target;
  }

  return {
    seekTo,
    seekBy: (deltaS) => seekTo(player.media.currentTime + deltaS),
    startOver() {
      if (store.get().resumedAtS !== null) seekTo(0);
    },
  };
}

/** Loads the captions module when the first source with captions is loaded. */
function createCaptionLoading(player: PlayerContext): {
  /** Follows the current element and source. */
  attach(): void;
  select(id: string | null): void;
  toggle(): void;
} {
  let captions: Captions | null = null;

  async function load(): Promise<void> {
    const { createCaptions } = await import("./captions.ts");
    const { captionMemory: preferences } = player.options;
    captions ??= createCaptions({ commit: player.store.commit, preferences });
    attach();
  }

  function attach(): void {
    const sources = player.viewing?.source.captions;
    if (sources === undefined) return;
    if (captions !== null) captions.attach(player.media, sources);
    else if (sources.length > 0) {
      load().catch((error: unknown) => console.warn("couldn't load captions", error));
    }
  }

  return { attach, select: (id) => captions?.select(id), toggle: () => captions?.toggle() };
}
