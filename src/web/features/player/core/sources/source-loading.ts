import { createViewingAds } from "../ads/create-viewing-ads.ts";
import type { Recovery } from "../faults/recovery.ts";
import type { Playback } from "../playback.ts";
import type { PlayerContext, Viewing } from "../player-context.ts";
import { readMedia } from "../state/media-events.ts";
import { chooseSound } from "../sounds/choose-sound.ts";
import { emptyState, type PlayerState } from "../state/player-state.ts";
import { createWatchTracker } from "../watch/watch-tracker.ts";
import { adoptElement, gainOf } from "./adopt-element.ts";
import { ladderAdapter, readBrowserAbilities, type BrowserAbilities } from "./choose-adapter.ts";
import { createFirstAdapter } from "./first-adapter.ts";
import { setVolume, volumeOf } from "../gain.ts";
import { markDamaged, withoutDamaged } from "../memory/damaged-sources.ts";
import { loadLadder } from "./load-ladder.ts";
import { unloadMedia, type AdapterEvents } from "./media-adapter.ts";
import type { PlayerSource } from "./player-source.ts";

interface SourceLoadingParts {
  playback: Playback;
  recovery: Recovery;
  /** Listens to this element from now on. */
  bind(media: HTMLVideoElement): void;
  attachCaptions(): void;
}

export interface SourceLoading {
  /** Sets the source, or clears it if null. Resets the state of the previous source. */
  load(source: PlayerSource | null): void;
  /**
   * Changes from a damaged file to the ladder or from a damaged ladder to the file, and starts with
   * it from now on. Returns false if the other one is damaged too or missing.
   */
  changeSource(): boolean;
  /** Sends the last report of the current source and releases its resources. */
  endViewing(): void;
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

export function createSourceLoading(
  player: PlayerContext,
  parts: SourceLoadingParts,
): SourceLoading {
  const { store, options } = player;
  const abilities = readBrowserAbilities(player.media);

  const adapterEvents = (life: AbortSignal): AdapterEvents => ({
    onFault(kind) {
      if (!life.aborted) parts.recovery.report(kind);
    },
    onQualities(qualities) {
      if (!life.aborted) store.commit({ qualities });
    },
    onActiveLines(activeLines) {
      if (!life.aborted) store.commit({ activeLines });
    },
  });

  function endViewing(): void {
    const { viewing } = player;
    if (viewing === null) return;
    viewing.watch.leave();
    player.viewing = null;
    viewing.life.abort();
    viewing.ads?.dispose();
    parts.recovery.reset();
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
      watch: createWatchTracker({
        source,
        send: options.sendWatch,
        resumePoints: options.resumePoints,
        position() {
          const { hasStarted, durationS } = store.get();
          const { media } = player;
          if (!hasStarted || media.ended) return null;
          return { positionS: media.currentTime, durationS };
        },
      }),
      ladder: null,
    };
    player.viewing = viewing;
    return viewing;
  }

  /** Chooses the first adapter of a source, and listens to it instead of the former one. */
  function open(viewing: Viewing, source: PlayerSource): AdapterEvents {
    viewing.opened.abort();
    viewing.opened = new AbortController();
    const signal = AbortSignal.any([viewing.life.signal, viewing.opened.signal]);
    const events = adapterEvents(signal);
    viewing.source = source;
    viewing.adapter = createFirstAdapter(source, abilities, events);
    viewing.ladder = null;
    return events;
  }

  function openLadder(viewing: Viewing, events: AdapterEvents, startS: number): void {
    if (viewing.adapter !== null && options.wantsLadder === null) return;
    void loadLadder(player, viewing, { ...parts, events, abilities, startS });
  }

  const findPlayable = (source: PlayerSource): PlayerSource =>
    withoutDamaged(source, ladderAdapter(source, abilities) !== null);

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
    const events = open(viewing, rest);
    setVolume(media, volume, gainOf(rest));
    store.commit({ ...noLadder, ...soundsOf(player, rest, abilities) });
    viewing.adapter?.attach(media, positionS);
    parts.attachCaptions();
    openLadder(viewing, events, positionS);
    return true;
  }

  function load(original: PlayerSource | null): void {
    endViewing();
    player.shouldPlay = false;
    if (original === null) return clear();
    const source = findPlayable(original);
    const viewing = beginViewing(source, new AbortController());
    const events = open(viewing, source);

    const { media } = player;
    const headStart = adoptElement(player, source);
    const resumeS = options.resumePoints?.find(source.id) ?? null;
    store.replace({
      ...emptyState,
      sourceId: source.id,
      durationS: source.durationS,
      chapters: source.chapters,
      ...soundsOf(player, source, abilities),
      volume: volumeOf(media),
      rate: media.playbackRate,
      isMuted: media.muted,
      isMutedByBrowser: headStart.isSilenced,
      resumedAtS: resumeS,
    });
    const startS = resumeS ?? (headStart.isPlaying ? 0 : options.startAtS);
    viewing.adapter?.attach(media, startS);
    if (headStart.isPlaying || media.readyState > 0) store.commit(readMedia(media));
    if (headStart.isPlaying) store.commit({ hasStarted: true });
    if (Number.isFinite(media.duration) && media.duration > 0) {
      store.commit({ durationS: media.duration });
    }

    parts.attachCaptions();
    openLadder(viewing, events, startS);
    if (options.reportsOnLoad) viewing.watch.begin();
    viewing.ads?.prepareEarly();
    if (headStart.isStarting) parts.playback.play({ isAutoplay: true });
  }

  return { load, changeSource, endViewing };
}
