import type { Faults } from "./faults.ts";
import type { Playback } from "./playback.ts";
import type { PlayerContext, PlayerOptions, Viewing } from "./player-context.ts";
import {
  readMedia,
  emptyState,
  type PlayerState,
  setVolume,
  volumeOf,
  bufferedAheadS,
} from "./player-state.ts";
import {
  chooseSound,
  ladderAdapter,
  readBrowserAbilities,
  type BrowserAbilities,
  markDamaged,
  withoutDamaged,
  type PlayerSource,
} from "./sources/player-source.ts";
import { createWatchTracker } from "./watch-tracker.ts";
import { createFirstAdapter, unloadMedia, type AdapterEvents } from "./sources/media-adapter.ts";
import type { AdDirector } from "./ads/ad-director.ts";

/** A file or ladder that has been opened. `signal` aborts when something else takes its place. */
interface Opened {
  signal: AbortSignal;
  events: AdapterEvents;
}

/** State of a source of which only the file plays. */
const noLadder = {
  qualities: [],
  selectedQuality: null,
  activeLines: null,
  sounds: [],
  activeSound: 0,
} satisfies Partial<PlayerState>;

/** Returns the audio tracks to choose from. Only the ladder has several. */
function soundsOf({ options }: PlayerContext, source: PlayerSource, abilities: BrowserAbilities) {
  const { sounds } = source;
  if (options.wantsLadder === null || ladderAdapter(source, abilities) === null) return {};
  return { sounds, activeSound: chooseSound(sounds, options.captionMemory.read().sound) };
}

/** Returns the position that the address asks for, or else the one where the visitor stopped. */
function findStart({ findLinkedStart, resumePoints }: PlayerOptions, source: PlayerSource) {
  // The video may have become shorter since. The duration of some videos isn't known.
  const endS = source.durationS || Infinity;
  const resumedAtS = resumePoints?.find(source.id, endS) ?? null;
  const linkedS = findLinkedStart?.(resumedAtS) ?? endS;
  return linkedS < endS
    ? { foundS: linkedS, resumedAtS: null }
    : { foundS: resumedAtS, resumedAtS };
}

/** Opens sources: adopts the element, chooses what plays, and follows the viewing to its end. */
export function createSourceLoading(
  player: PlayerContext,
  parts: {
    playback: Playback;
    faults: Faults;
    /** Listens to this element from now on. */
    bind: (media: HTMLVideoElement) => void;
    attachCaptions: () => void;
  },
) {
  const { store, options } = player;
  const { playback, faults, bind, attachCaptions } = parts;
  const abilities = readBrowserAbilities(player.media);

  const adapterEvents = (life: AbortSignal): AdapterEvents => ({
    onFault(kind) {
      if (!life.aborted) faults.report(kind);
    },
    onQualities(qualities) {
      if (!life.aborted) store.commit({ qualities });
    },
    onActiveLines(activeLines) {
      if (!life.aborted) store.commit({ activeLines });
    },
  });

  /** Sends the last report of the current source and releases its resources. */
  function endViewing(): void {
    const { viewing } = player;
    if (viewing === null) return;
    viewing.watch.leave();
    player.viewing = null;
    viewing.life.abort();
    viewing.ads?.dispose();
    faults.reset();
    viewing.adapter?.destroy();
  }

  function clear(): void {
    unloadMedia(player.media);
    const { volume, isMuted, rate } = options.settings.initial();
    store.replace({
      ...emptyState,
      volume,
      isMuted: isMuted ?? player.media.muted,
      rate: rate ?? player.media.playbackRate,
    });
  }

  function beginViewing(source: PlayerSource, life: AbortController) {
    const viewing: Viewing = {
      source,
      life,
      opened: new AbortController(),
      adapter: null,
      ads: createViewingAds(player, source),
      watch: createWatchTracker(
        source.id,
        options.sendWatch,
        options.resumePoints,
        () => store.get().durationS,
        () => {
          const { hasStarted, positionS } = store.get();
          return hasStarted && !player.media.ended ? positionS : null;
        },
      ),
      ladder: null,
    };
    player.viewing = viewing;
    return viewing;
  }

  /** Chooses the first adapter of a source, and listens to it instead of the former one. */
  function open(viewing: Viewing, source: PlayerSource): Opened {
    viewing.opened.abort();
    viewing.opened = new AbortController();
    const signal = AbortSignal.any([viewing.life.signal, viewing.opened.signal]);
    const events = adapterEvents(signal);
    viewing.source = source;
    viewing.adapter = createFirstAdapter(source, abilities, events);
    viewing.ladder = null;
    return { signal, events };
  }

  /**
   * Loads the ladder's module after the first frame. Short videos never need it.
   * @param startS position at which the ladder starts if nothing else plays.
   */
  async function openLadder(viewing: Viewing, { signal, events }: Opened, startS: number) {
    const { source } = viewing;
    const isFirst = viewing.adapter === null;
    if (!isFirst && options.wantsLadder === null) return;
    if (source.hlsUrl === null) {
      if (isFirst) events.onFault("unsupported");
      return;
    }
    const loaded = await import("./sources/ladder-switch.ts").catch((error: unknown) => {
      console.warn(error);
      return null;
    });
    if (signal.aborted) return;
    if (loaded === null) {
      if (isFirst) events.onFault(navigator.onLine ? "unsupported" : "offline");
      return;
    }
    viewing.ladder = loaded.createLadderSwitch({
      source,
      abilities,
      signal,
      events,
      firstS: isFirst ? startS : null,
      media: () => player.media,
      sound: store.get().activeSound,
      isWanted: () =>
        (options.wantsLadder?.(source, abilities) === true || store.get().activeSound > 0) &&
        canSwitchInvisibly(store.get()),
      onSwitched(next, adapter) {
        const former = viewing.adapter;
        viewing.adapter = adapter;
        if (next !== player.media) {
          bind(next);
          store.commit(readMedia(next));
        }
        former?.destroy();
        attachCaptions();
      },
    });
    await viewing.ladder.listQualities();
  }

  const findPlayable = (source: PlayerSource): PlayerSource =>
    withoutDamaged(source, ladderAdapter(source, abilities) !== null);

  /**
   * Changes from a damaged file to the ladder or from a damaged ladder to the file, and starts with
   * it from now on. Returns false if the other one is damaged too or missing.
   */
  function changeSource(): boolean {
    const { viewing } = player;
    if (viewing === null || viewing.adapter === null) return false;
    const { source, adapter: former } = viewing;
    const failedUrl = former.kind === "progressive" ? source.progressiveUrl : source.hlsUrl;
    if (failedUrl !== null) markDamaged(failedUrl);
    const rest = findPlayable(source);
    if (rest === source) return false;
    const { positionS } = store.get();
    const { media } = player;
    const volume = volumeOf(media);
    former.destroy();
    const opened = open(viewing, rest);
    setVolume(media, volume, gainOf(rest));
    store.commit({ ...noLadder, ...soundsOf(player, rest, abilities) });
    viewing.adapter?.attach(media, positionS);
    attachCaptions();
    void openLadder(viewing, opened, positionS);
    return true;
  }

  /** Sets the source, or clears it if null. Resets the state of the previous source. */
  function load(original: PlayerSource | null): void {
    endViewing();
    player.shouldPlay = false;
    if (original === null) return clear();
    const source = findPlayable(original);
    const viewing = beginViewing(source, new AbortController());
    const opened = open(viewing, source);

    const { media } = player;
    const headStart = adoptElement(player, source);
    const { foundS, resumedAtS } = findStart(options, source);
    const startS = foundS ?? (headStart.isPlaying ? 0 : options.startAtS);
    store.replace({
      ...emptyState,
      sourceId: source.id,
      hasStarted: headStart.isPlaying,
      positionS: startS,
      durationS: source.durationS,
      chapters: source.chapters,
      ...soundsOf(player, source, abilities),
      volume: volumeOf(media),
      rate: media.playbackRate,
      isMuted: media.muted,
      isMutedByBrowser: headStart.isSilenced,
      isPictureInPicture: document.pictureInPictureElement === media,
      resumedAtS,
    });
    viewing.adapter?.attach(media, startS);
    if (headStart.isPlaying || media.readyState > 0) store.commit(readMedia(media));

    attachCaptions();
    void openLadder(viewing, opened, startS);
    if (options.reportsOnLoad) viewing.watch.begin();
    viewing.ads?.prepareEarly();
    if (headStart.isStarting) playback.play({ isAutoplay: true });
  }

  return { load, changeSource, endViewing };
}

/** Seconds that must be buffered before the element can be replaced safely. */
const safeBufferS = 4;

/**
 * Returns whether a switch is invisible, because enough is buffered and no other screen shows the
 * element.
 */
function canSwitchInvisibly(state: PlayerState): boolean {
  if (state.isPictureInPicture || state.isSeeking || state.adSlot !== null) return false;
  return bufferedAheadS(state.buffered, state.positionS) > safeBufferS;
}

/** State that the page's HTML or its first script has already set on the element. */
interface HeadStart {
  /** True if the element already plays. Its frames, position and connection are preserved. */
  isPlaying: boolean;
  /** True if the element plays or is about to. */
  isStarting: boolean;
  /** True if the element is muted only because it started before any gesture. */
  isSilenced: boolean;
}

/** Returns the volume factor of what plays first of a source. */
const gainOf = (source: PlayerSource): number =>
  source.progressiveUrl === null ? source.ladderGain : source.fileGain;

/** Takes over the element and applies the settings for a new source. */
function adoptElement(player: PlayerContext, source: PlayerSource): HeadStart {
  const { media, options } = player;
  const { volume, isMuted, rate } = options.settings.initial();
  const hasSource = media.currentSrc !== "";
  const isPlaying = hasSource && !media.paused;
  const isStarting = isPlaying || (hasSource && media.autoplay);
  const wasSilenced = isStarting && media.muted && isMuted === false;
  const staysSilent = wasSilenced && !navigator.userActivation?.hasBeenActive;

  media.controls = false;
  media.autoplay = false;
  const { posterUrl } = source;
  if (options.showsPoster && posterUrl !== null && media.getAttribute("poster") !== posterUrl) {
    media.poster = posterUrl;
  }
  setVolume(media, volume, gainOf(source));
  if (isMuted !== null) media.muted = isMuted || staysSilent;
  if (rate !== null) {
    media.playbackRate = rate;
    // Loading another source resets the rate to this one.
    media.defaultPlaybackRate = rate;
  }
  return { isPlaying, isStarting, isSilenced: wasSilenced && media.muted };
}

/**
 * Creates the ad director of one viewing and connects it to the player's state and sound. Null
 * without ads.
 */
function createViewingAds(player: PlayerContext, source: PlayerSource): AdDirector | null {
  const { store, options } = player;
  if (options.ads === null) return null;
  const { direct, container } = options.ads;
  return direct({
    container,
    context: {
      videoId: source.id,
      slug: source.slug,
      categories: source.categories,
      tags: source.tags,
    },
    durationS: () => store.get().durationS,
    media: () => player.media,
    sound: () => ({ isMuted: player.media.muted, volume: volumeOf(player.media) }),
    onSoundChange(sound) {
      player.media.muted = sound.isMuted;
      setVolume(player.media, sound.volume);
    },
    onSlot: (adSlot) => store.commit({ adSlot, isAdVisible: false }),
    onVisible: () => store.commit({ isAdVisible: true }),
  });
}
