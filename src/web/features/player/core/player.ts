import { createStore, type ReadableStore } from "#web/lib/store.ts";
import { whenHidden } from "#web/lib/when-hidden.ts";
import type { Captions } from "./captions.ts";
import { createFaults } from "./faults.ts";
import { createPlayback } from "./playback.ts";
import type { PlayerContext, PlayerOptions } from "./player-context.ts";
import {
  emptyState,
  readDuration,
  setVolume,
  spansOf,
  volumeOf,
  type PlayerState,
} from "./player-state.ts";
import { createSourceLoading } from "./source-loading.ts";
import { unloadMedia } from "./sources/media-adapter.ts";
import { soundChoiceOf } from "./sources/player-source.ts";

/** Volume after unmuting a player whose volume is zero. */
const audibleVolume = 0.5;

/** An element that loads again after a fault is at 0 until it has the position to go on from. */
const isEmpty = (media: HTMLVideoElement) => media.readyState === HTMLMediaElement.HAVE_NOTHING;

export type Player = ReturnType<typeof createPlayer>;

/**
 * Creates a player without a user interface. The element's events update the store, and user
 * interfaces read from it. Requests never change a value that the element itself reports.
 */
export function createPlayer(options: PlayerOptions) {
  const player: PlayerContext = {
    options,
    store: createStore<PlayerState>(emptyState),
    media: options.media,
    viewing: null,
    shouldPlay: false,
  };
  const { commit, get, subscribe } = player.store;
  const playback = createPlayback(player);
  const faults = createFaults(player, playback, () => sources.changeSource());
  const sources = createSourceLoading(player, { playback, faults, bind, attachCaptions });
  const life = new AbortController();
  let mediaLife = new AbortController();
  /** Loaded with the first source that has captions. */
  let captions: Captions | null = null;

  /** Commits the values of an element's events. Nothing else writes them to the state. */
  function bind(media: HTMLVideoElement): void {
    mediaLife.abort();
    mediaLife = new AbortController();
    const { signal } = mediaLife;
    player.media = media;
    const on = (name: keyof HTMLVideoElementEventMap, react: () => void) =>
      media.addEventListener(name, react, { signal });
    const buffered = () => spansOf(media.buffered);
    /** How often the clock has advanced while the player buffers. */
    let advances = 0;
    // `timeupdate` comes only every 250 ms, and not at the start.
    const observe = () => player.viewing?.watch.observe(media.currentTime, media.playbackRate);
    on("durationchange", () => commit(readDuration(media)));
    on("loadeddata", () => commit({ hasFrame: true, buffered: buffered() }));
    const onPlayable = (change: Partial<PlayerState>) => {
      commit({ isPlayable: true, isBuffering: false, ...change });
      faults.touch();
      faults.clear();
    };
    on("canplay", () => onPlayable({ buffered: buffered() }));
    on("suspend", () => {
      // iPhones load no more than the start of a video before the visitor plays it.
      if (media.paused) onPlayable({});
    });
    on("progress", () => {
      commit({ buffered: buffered() });
      faults.touch();
    });
    on("timeupdate", () => {
      if (isEmpty(media)) return;
      const { viewing } = player;
      const beforeS = get().positionS;
      commit({ positionS: media.currentTime });
      const { positionS, isSeeking, isBuffering, fault } = get();
      if (viewing === null || media.paused || isSeeking) return;
      // WebKit may play after a seek without an event. The first advance may precede a stall.
      advances = isBuffering && positionS > beforeS ? advances + 1 : 0;
      if (advances > 1) commit({ isBuffering: false });
      faults.touch();
      if (fault !== null) faults.clear();
      observe();
      viewing.ladder?.consider();
      const adBreak = viewing.ads?.atPosition(positionS) ?? null;
      if (adBreak !== null) playback.holdDuring(adBreak);
    });
    on("play", () => {
      commit({ isPaused: false, isEnded: false });
      playback.onPlay();
    });
    on("pause", () => {
      commit({ isPaused: true });
      if (!isEmpty(media)) {
        commit({ positionS: media.currentTime });
        observe();
      }
      playback.onPause();
    });
    on("waiting", () => {
      commit({ isBuffering: true });
      player.viewing?.watch.interrupt();
    });
    on("playing", () => {
      onPlayable({ hasFrame: true });
      observe();
      player.viewing?.ladder?.consider();
    });
    on("seeking", () => {
      commit({ isSeeking: true, isEnded: false, positionS: media.currentTime });
      player.viewing?.watch.interrupt();
    });
    on("seeked", () => {
      const isShort = media.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !media.ended;
      commit({ isSeeking: false, isBuffering: isShort, positionS: media.currentTime });
    });
    on("ended", playback.onEnded);
    on("volumechange", () => {
      const { muted: isMuted } = media;
      commit({ volume: volumeOf(media), isMuted });
      if (!isMuted) commit({ isMutedByBrowser: false });
      // Don't save a mute that the browser enforced, because the visitor didn't choose it.
      const { isMutedByBrowser, volume } = get();
      if (!isMutedByBrowser) options.settings.save({ isMuted, volume });
    });
    on("ratechange", () => commit({ rate: media.playbackRate }));
    on("enterpictureinpicture", () => commit({ isPictureInPicture: true }));
    on("leavepictureinpicture", () => commit({ isPictureInPicture: false }));
  }

  /** Shows the captions of the current source in the current element. */
  function attachCaptions(): void {
    const tracks = player.viewing?.source.captions;
    if (tracks === undefined) return;
    if (captions !== null) captions.attach(player.media, tracks);
    else if (tracks.length > 0) loadCaptions().catch(console.warn);
  }

  async function loadCaptions(): Promise<void> {
    const { createCaptions } = await import("./captions.ts");
    captions ??= createCaptions({ commit, preferences: options.captionMemory });
    attachCaptions();
  }

  function seekTo(positionS: number): void {
    const { durationS, adSlot } = get();
    if (player.viewing === null || adSlot !== null) return;
    const target = Math.min(Math.max(0, positionS), durationS || positionS);
    commit({ positionS: target, resumedAtS: null });
    player.media.currentTime = target;
  }

  bind(options.media);
  whenHidden(() => player.viewing?.watch.leave(), life.signal);

  const { play, pause, toggle } = playback;
  return {
    store: { get, subscribe } satisfies ReadableStore<PlayerState>,
    get media(): HTMLVideoElement {
      return player.media;
    },
    load: sources.load,
    play,
    pause,
    toggle,
    seekTo,
    seekBy: (deltaS: number) =>
      seekTo((isEmpty(player.media) ? get().positionS : player.media.currentTime) + deltaS),
    /** Seeks to the beginning of a resumed video. */
    startOver() {
      if (get().resumedAtS !== null) seekTo(0);
    },
    setVolume(volume: number) {
      const { media } = player;
      setVolume(media, Math.min(1, Math.max(0, volume)));
      if (media.volume > 0) media.muted = false;
    },
    setMuted(isMuted: boolean) {
      player.media.muted = isMuted;
      if (!isMuted && player.media.volume === 0) setVolume(player.media, audibleVolume);
    },
    setRate(rate: number) {
      player.media.playbackRate = rate;
      player.media.defaultPlaybackRate = rate;
      options.settings.save({ rate });
    },
    selectQuality(lines: number | null) {
      commit({ selectedQuality: lines });
      player.viewing?.ladder?.select(lines);
    },
    /** @param index index in the state's `sounds`. */
    selectSound(index: number) {
      commit({ activeSound: index });
      const sound = get().sounds[index];
      if (sound !== undefined) options.captionMemory.write({ sound: soundChoiceOf(sound) });
      player.viewing?.ladder?.selectSound(index);
    },
    selectCaption: (id: string | null) => captions?.select(id),
    /** Turns captions off, or turns them on in the best language. */
    toggleCaptions: () => captions?.toggle(),
    togglePictureInPicture() {
      const { media } = player;
      const change =
        document.pictureInPictureElement === media
          ? document.exitPictureInPicture()
          : media.requestPictureInPicture();
      change.catch(console.warn);
    },
    /** Retries immediately after a fault. */
    retry: () => faults.retry(),
    /** Sends the first watch report, unless it was sent on load. */
    beginWatch: () => player.viewing?.watch.begin(),
    destroy() {
      if (life.signal.aborted) return;
      life.abort();
      sources.endViewing();
      faults.dispose();
      captions?.dispose();
      mediaLife.abort();
      unloadMedia(player.media);
    },
  };
}
