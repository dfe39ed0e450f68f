import type { AdDirector } from "./ads/ad-director.ts";
import type { Captions } from "./captions.ts";
import type { LadderSwitch } from "./sources/ladder-switch.ts";
import { listenToMedia, readMedia } from "./state/media-events.ts";
import { bufferedAheadS, emptyState, type PlayerState } from "./state/player-state.ts";
import type { PlayerOptions } from "./player-options.ts";
import type { PlayerSource } from "./sources/player-source.ts";
import { createRecovery, type Recovery } from "./faults/recovery.ts";
import { firstAdapter, readBrowserAbilities, wantsLadder } from "./sources/choose-adapter.ts";
import { createFileAdapter } from "./sources/file-adapter.ts";
import { unloadMedia, type AdapterEvents, type MediaAdapter } from "./sources/media-adapter.ts";
import { createStallWatch } from "./faults/stall-watch.ts";
import { createStore, type Store } from "../../../lib/store.ts";
import { createWatchMeter, type WatchMeter } from "./watch/watch-meter.ts";
import { createWatchReporter, type WatchReporter } from "./watch/watch-reporter.ts";

export interface Player {
  readonly store: Pick<Store<PlayerState>, "get" | "subscribe">;
  readonly media: HTMLVideoElement;
  /** Sets (or with null clears) the source. Everything about the former one is reset. */
  load(source: PlayerSource | null): void;
  /** `isOwnAccord`: nobody pressed anything, so the browser may insist on silence. */
  play(options?: { isOwnAccord?: boolean }): void;
  pause(): void;
  toggle(): void;
  seekTo(positionS: number): void;
  seekBy(deltaS: number): void;
  setVolume(volume: number): void;
  setMuted(isMuted: boolean): void;
  setRate(rate: number): void;
  selectQuality(height: number | null): void;
  selectCaption(id: string | null): void;
  togglePictureInPicture(): void;
  /** Tries again at once after a fault. */
  retry(): void;
  /** The resume offer was seen or taken back. */
  startOver(): void;
  /** Counts this viewing from now on (done by itself outside the feed). */
  beginWatch(): void;
  destroy(): void;
}

/** All that belongs to one source and ends with it. */
interface Viewing {
  source: PlayerSource;
  life: AbortController;
  adapter: MediaAdapter | null;
  ads: AdDirector | null;
  meter: WatchMeter;
  reporter: WatchReporter;
  ladder: LadderSwitch | null;
}

/**
 * Where a clip of the feed waits for its turn: just before the second frame at 24 to 60 frames a
 * second. The first one stands on the screen already; from zero it would stand there once more as
 * long after the start, and the feed would feel late by that.
 */
const readyAtS = 0.033;

/**
 * A player without a screen. Requests come in, the element's events commit, subscribers select.
 * No request changes the state directly where the element will tell of it.
 */
export function createPlayer(options: PlayerOptions): Player {
  const { preferences } = options;
  const isFeed = options.isFeed === true;
  const isSavingData = options.isSavingData ?? (() => false);
  const store = createStore<PlayerState>(emptyState);
  const { commit } = store;
  let media = options.media;
  let mediaLife = new AbortController();
  let viewing: Viewing | null = null;
  /** What was asked for last, whatever the element has made of it so far. */
  let isPlayWanted = false;
  let isDestroyed = false;
  let captions: Captions | null = null;
  const abilities = readBrowserAbilities(media);

  const recovery: Recovery = createRecovery({
    commitFault: (fault) => commit({ fault }),
    positionS: () => store.get().positionS,
    onOnline(listener) {
      window.addEventListener("online", listener);
      return () => window.removeEventListener("online", listener);
    },
    retry(skipS) {
      if (viewing?.adapter == null) return;
      const { positionS, durationS } = store.get();
      viewing.meter.interrupt();
      viewing.adapter.retry(Math.min(positionS + skipS, Math.max(0, durationS - 1)));
      media.playbackRate = store.get().rate;
      if (isPlayWanted && viewing.ads?.isOnStage !== true) startMedia(false);
    },
  });

  const stallWatch = createStallWatch({
    isWaiting: () => {
      const { isBuffering, isPlayable, adSlot } = store.get();
      return viewing !== null && isPlayWanted && adSlot === null && (isBuffering || !isPlayable);
    },
    onStall: () => recovery.report(navigator.onLine ? "stalled" : "offline"),
  });

  function startMedia(isOwnAccord: boolean): void {
    const target = media;
    target.play().catch((error: unknown) => {
      if (target !== media || !(error instanceof DOMException)) return;
      // Aborts are the ordinary course of things: a pause or a new source came first.
      if (error.name === "AbortError") return;
      if (error.name === "NotAllowedError") return onRefused(target, isOwnAccord);
      console.warn("playback failed", error);
    });
  }

  function onRefused(target: HTMLVideoElement, isOwnAccord: boolean): void {
    if (isOwnAccord && !target.muted) {
      target.muted = true;
      commit({ isMutedByBrowser: true });
      options.onSilenced?.();
      startMedia(false);
      return;
    }
    isPlayWanted = false;
    commit({ isAutoplayBlocked: true });
  }

  function bind(target: HTMLVideoElement): void {
    mediaLife.abort();
    mediaLife = new AbortController();
    media = target;
    listenToMedia(target, mediaLife.signal, {
      commit,
      onProgress: () => stallWatch.touch(),
      onCanPlay() {
        stallWatch.touch();
        recovery.clear();
      },
      onTimeUpdate,
      onPlay() {
        isPlayWanted = true;
        const ads = viewing?.ads ?? null;
        // Media keys reach the element past our requests: ads keep their stage all the same.
        if (ads?.isOnStage === true) target.pause();
        else if (!store.get().hasStarted) {
          if (ads === null) commit({ hasStarted: true });
          else play();
        }
      },
      onPause() {
        viewing?.meter.interrupt();
        savePlace();
      },
      onWaiting: () => viewing?.meter.interrupt(),
      onPlaying() {
        stallWatch.touch();
        recovery.clear();
        viewing?.ladder?.consider();
      },
      onSeeking: () => viewing?.meter.interrupt(),
      onEnded,
      onSoundChange() {
        const { isMuted, volume } = store.get();
        if (!isMuted) commit({ isMutedByBrowser: false });
        if (isFeed || store.get().isMutedByBrowser) return;
        preferences.write({ isMuted, volume });
      },
    });
  }

  function onTimeUpdate(): void {
    if (viewing === null) return;
    const { positionS, rate, isSeeking, fault } = store.get();
    if (media.paused || isSeeking) return;
    stallWatch.touch();
    if (fault !== null) recovery.clear();
    viewing.meter.observe(positionS, performance.now(), rate);
    viewing.ladder?.consider();
    const pause = viewing.ads?.atPosition(positionS) ?? null;
    if (pause === null) return;
    media.pause();
    isPlayWanted = true;
    const { signal } = viewing.life;
    void pause.then(() => {
      if (!signal.aborted && isPlayWanted) startMedia(false);
    });
  }

  function onEnded(): void {
    if (viewing === null) return;
    const { source, reporter, ads, life } = viewing;
    viewing.meter.observe(media.duration, performance.now(), media.playbackRate);
    viewing.meter.interrupt();
    reporter.complete(Number.isFinite(media.duration) ? media.duration : source.durationS);
    options.resumePoints?.forget(source.id);
    if (options.isLooping?.() === true && isPlayWanted) {
      media.currentTime = 0;
      startMedia(false);
      return;
    }
    isPlayWanted = false;
    const finish = () => {
      if (!life.signal.aborted) commit({ isEnded: true, isPaused: true, isBuffering: false });
    };
    if (ads === null) finish();
    else void ads.atEnd().then(finish);
  }

  function savePlace(): void {
    if (viewing === null || isFeed || !store.get().hasStarted || media.ended) return;
    options.resumePoints?.save(viewing.source.id, media.currentTime, store.get().durationS);
  }

  function leave(): void {
    if (viewing === null) return;
    savePlace();
    viewing.reporter.leave(viewing.meter.watchedS);
  }

  const onHidden = () => {
    if (document.visibilityState === "hidden") leave();
  };
  document.addEventListener("visibilitychange", onHidden);
  window.addEventListener("pagehide", leave);

  const adapterEvents = (life: AbortSignal): AdapterEvents => ({
    onFault(kind) {
      if (!life.aborted) recovery.report(kind);
    },
    onQualities(qualities) {
      if (!life.aborted) commit({ qualities });
    },
    onActiveHeight(activeHeight) {
      if (!life.aborted) commit({ activeHeight });
    },
  });

  function createDirector(source: PlayerSource): AdDirector | null {
    if (options.directAds == null) return null;
    return options.directAds({
      stage: () => options.adStage?.() ?? null,
      context: { videoId: source.id, slug: source.slug, categories: source.categories },
      durationS: () => store.get().durationS,
      sound: () => ({ isMuted: media.muted, volume: media.volume }),
      onSoundChange(sound) {
        media.muted = sound.isMuted;
        media.volume = sound.volume;
      },
      onSlot: (adSlot) => commit({ adSlot, isAdVisible: false }),
      onVisible: () => commit({ isAdVisible: true }),
    });
  }

  function endViewing(): void {
    if (viewing === null) return;
    leave();
    const { life, ads, adapter, ladder } = viewing;
    viewing = null;
    life.abort();
    ads?.dispose();
    ladder?.dispose();
    recovery.reset();
    adapter?.destroy();
  }

  function chooseAdapter(source: PlayerSource, events: AdapterEvents): MediaAdapter | null {
    const kind = firstAdapter(source, abilities);
    if (kind === "progressive" && source.progressiveUrl !== null) {
      return createFileAdapter({ kind, url: source.progressiveUrl, events });
    }
    if (kind === "native-hls" && source.hlsUrl !== null) {
      return createFileAdapter({ kind, url: source.hlsUrl, events });
    }
    return null;
  }

  function load(source: PlayerSource | null): void {
    endViewing();
    const { volume, isMuted, rate } = preferences.read();
    isPlayWanted = false;
    if (source === null) {
      unloadMedia(media);
      store.replace({ ...emptyState, volume, isMuted, rate });
      return;
    }
    const life = new AbortController();
    const events = adapterEvents(life.signal);
    const current: Viewing = {
      source,
      life,
      adapter: chooseAdapter(source, events),
      ads: createDirector(source),
      meter: createWatchMeter(),
      reporter: createWatchReporter(source.id, options.sendWatch),
      ladder: null,
    };
    viewing = current;

    // The server's HTML may have started this very file: what it has loaded and shown is kept.
    const isAdopted = media.currentSrc !== "" && !media.paused;
    const wantsPlay = isAdopted || (media.autoplay && media.currentSrc !== "");
    // Begun or about to begin silently out of the HTML: it stays so for who has pressed nothing yet.
    const isSilenced = wantsPlay && media.muted && !isMuted && !isFeed;
    media.controls = false;
    // The feed draws its own; with one of its own the element would not decode its first frame.
    if (!isFeed && source.posterUrl !== null && media.getAttribute("poster") !== source.posterUrl) {
      media.poster = source.posterUrl;
    }
    media.autoplay = false;
    media.volume = volume;
    if (!isFeed) {
      media.muted = isMuted || (isSilenced && !navigator.userActivation?.hasBeenActive);
      media.playbackRate = rate;
    }

    const resumeS = isFeed ? null : (options.resumePoints?.find(source.id) ?? null);
    store.replace({
      ...emptyState,
      sourceId: source.id,
      durationS: source.durationS,
      volume,
      rate: media.playbackRate,
      isMuted: media.muted,
      isMutedByBrowser: isSilenced && media.muted,
      resumedAtS: resumeS,
    });
    current.adapter?.attach(media, resumeS ?? (isFeed && !isAdopted ? readyAtS : 0));
    if (isAdopted) {
      const { volume: _volume, ...read } = readMedia(media);
      commit({ ...read, hasStarted: true, resumedAtS: resumeS });
    } else if (media.readyState > 0) commit(readMedia(media));
    if (Number.isFinite(media.duration) && media.duration > 0)
      commit({ durationS: media.duration });

    if (captions === null) void loadCaptions();
    else captions.attach(media);
    if (current.adapter === null || !isFeed) void loadLadder(current, events);
    if (!isFeed) {
      current.reporter.begin();
      current.ads?.prepareEarly();
    }
    if (wantsPlay) play({ isOwnAccord: true });
  }

  /** The feed shows none. */
  async function loadCaptions(): Promise<void> {
    if (isFeed) return;
    const { createCaptions } = await import("./captions.ts");
    if (captions !== null || isDestroyed) return;
    captions = createCaptions({ commit, preferences });
    captions.attach(media);
  }

  /** Comes after the first picture: a short clip, and the feed, never need it. */
  async function loadLadder(current: Viewing, events: AdapterEvents): Promise<void> {
    const { source, life } = current;
    const isFirst = current.adapter === null;
    if (source.hlsUrl === null) {
      if (isFirst) events.onFault("unsupported");
      return;
    }
    const loaded = await import("./sources/ladder-switch.ts").catch((error: unknown) => {
      console.warn("the adaptive renditions could not be had", error);
      return null;
    });
    if (life.signal.aborted) return;
    if (loaded === null) {
      if (isFirst) events.onFault(navigator.onLine ? "unsupported" : "offline");
      return;
    }
    current.ladder = loaded.createLadderSwitch({
      source,
      abilities,
      signal: life.signal,
      events,
      isFirst,
      media: () => media,
      isWanted: () =>
        !isFeed && wantsLadder(source, abilities, isSavingData()) && canSwitchQuietly(),
      isPlaying: () => !media.paused && store.get().adSlot === null,
      onSwitched(next, adapter) {
        const old = current.adapter;
        if (next !== media) {
          bind(next);
          options.onMediaChange?.(next);
        }
        current.adapter = adapter;
        old?.destroy();
        commit(readMedia(media));
        captions?.attach(media);
      },
    });
    current.ladder.listQualities();
  }

  /** Nobody should see the change: a few seconds are in hand, no other window shows the picture. */
  function canSwitchQuietly(): boolean {
    const { buffered, positionS, isPictureInPicture, adSlot, isSeeking } = store.get();
    return (
      !isPictureInPicture &&
      adSlot === null &&
      !isSeeking &&
      bufferedAheadS(buffered, positionS) > 4
    );
  }

  function play({ isOwnAccord = false }: { isOwnAccord?: boolean } = {}): void {
    const current = viewing;
    if (current === null || isDestroyed) return;
    isPlayWanted = true;
    commit({ isAutoplayBlocked: false });
    if (current.ads?.isOnStage === true) return;
    if (current.ads === null || store.get().hasStarted) return startMedia(isOwnAccord);
    commit({ hasStarted: true });
    const { signal } = current.life;
    if (!media.paused) media.pause();
    void current.ads.beforeFirstPlay().then(() => {
      if (!signal.aborted && isPlayWanted) startMedia(isOwnAccord);
    });
  }

  function pause(): void {
    isPlayWanted = false;
    media.pause();
  }

  function seekTo(positionS: number): void {
    const { durationS, adSlot } = store.get();
    if (viewing === null || adSlot !== null) return;
    const target = Math.min(Math.max(0, positionS), durationS || positionS);
    commit({ positionS: target, resumedAtS: null });
    media.currentTime = target;
  }

  bind(media);

  return {
    store: { get: store.get, subscribe: store.subscribe },
    get media() {
      return media;
    },
    load,
    play,
    pause,
    toggle() {
      if (store.get().adSlot !== null) return;
      if (media.paused) play();
      else pause();
    },
    seekTo,
    seekBy: (deltaS) => seekTo(media.currentTime + deltaS),
    setVolume(volume) {
      media.volume = Math.min(1, Math.max(0, volume));
      if (media.volume > 0) media.muted = false;
    },
    setMuted(isMuted) {
      media.muted = isMuted;
      // Sound on at volume nothing is still silence.
      if (!isMuted && media.volume === 0) media.volume = 0.5;
    },
    setRate(rate) {
      media.playbackRate = rate;
      media.defaultPlaybackRate = rate;
      if (!isFeed) preferences.write({ rate });
    },
    selectQuality(height) {
      commit({ selectedQuality: height });
      viewing?.ladder?.select(height, viewing.adapter);
    },
    selectCaption: (id) => captions?.select(id),
    togglePictureInPicture() {
      const change =
        document.pictureInPictureElement === media
          ? document.exitPictureInPicture()
          : media.requestPictureInPicture();
      change.catch((error: unknown) => console.warn("picture in picture refused", error));
    },
    retry: () => recovery.retryNow(),
    startOver() {
      if (store.get().resumedAtS !== null) seekTo(0);
    },
    beginWatch: () => viewing?.reporter.begin(),
    destroy() {
      if (isDestroyed) return;
      isDestroyed = true;
      endViewing();
      recovery.dispose();
      stallWatch.stop();
      mediaLife.abort();
      unloadMedia(media);
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", leave);
    },
  };
}
