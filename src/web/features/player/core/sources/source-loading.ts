import { createViewingAds } from "../ads/create-viewing-ads.ts";
import type { Recovery } from "../faults/recovery.ts";
import type { Playback } from "../playback.ts";
import type { PlayerContext, Viewing } from "../player-context.ts";
import { readMedia } from "../state/media-events.ts";
import { chooseSound } from "../sounds/choose-sound.ts";
import { emptyState } from "../state/player-state.ts";
import { createWatchTracker } from "../watch/watch-tracker.ts";
import { adoptElement } from "./adopt-element.ts";
import { ladderAdapter, readBrowserAbilities, type BrowserAbilities } from "./choose-adapter.ts";
import { createFirstAdapter } from "./first-adapter.ts";
import { volumeOf } from "../gain.ts";
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
  /** Sends the last report of the current source and releases its resources. */
  endViewing(): void;
}

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

  function beginViewing(source: PlayerSource, events: AdapterEvents, life: AbortController) {
    const viewing: Viewing = {
      source,
      life,
      adapter: createFirstAdapter(source, abilities, events),
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

  function load(source: PlayerSource | null): void {
    endViewing();
    player.shouldPlay = false;
    if (source === null) return clear();
    const life = new AbortController();
    const events = adapterEvents(life.signal);
    const viewing = beginViewing(source, events, life);

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
    viewing.adapter?.attach(media, resumeS ?? (headStart.isPlaying ? 0 : options.startAtS));
    if (headStart.isPlaying || media.readyState > 0) store.commit(readMedia(media));
    if (headStart.isPlaying) store.commit({ hasStarted: true });
    if (Number.isFinite(media.duration) && media.duration > 0) {
      store.commit({ durationS: media.duration });
    }

    parts.attachCaptions();
    if (viewing.adapter === null || options.wantsLadder !== null) {
      void loadLadder(player, viewing, { ...parts, events, abilities });
    }
    if (options.reportsOnLoad) viewing.watch.begin();
    viewing.ads?.prepareEarly();
    if (headStart.isStarting) parts.playback.play({ isAutoplay: true });
  }

  return { load, endViewing };
}
