import Hls, { type ErrorData, type Level } from "hls.js";
import { spansOf, bufferedAheadS, type FaultKind, type QualityOption } from "../player-state.ts";
import { chooseLevels, isAv1, linesOf, chooseStartLevel } from "./qualities.ts";
import type { AdapterEvents, MediaAdapter } from "./media-adapter.ts";
import { unloadMedia } from "./media-adapter.ts";

interface HlsAdapterOptions {
  url: string;
  /**
   * Height in lines to begin with. If null, starts in the middle of the ladder and adapts to the
   * bandwidth.
   */
  quality: number | null;
  /** Index of the audio track to begin with. */
  sound: number;
  events: AdapterEvents;
}

/**
 * hls.js retries a segment once. After that, the player's recovery reports the fault and retries.
 */
const segmentPolicy = {
  maxTimeToFirstByteMs: 8_000,
  maxLoadTimeMs: 60_000,
  timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
  errorRetry: { maxNumRetry: 1, retryDelayMs: 500, maxRetryDelayMs: 2_000 },
};

function optionsOf(levels: readonly Level[]): QualityOption[] {
  const byLines = new Map<number, QualityOption>();
  for (const level of levels) {
    const lines = linesOf(level);
    if (lines > 0) byLines.set(lines, { id: lines, lines, bitrate: level.bitrate });
  }
  return [...byLines.values()].sort((a, b) => a.lines - b.lines);
}

function faultOf(data: ErrorData): FaultKind {
  if (data.type === Hls.ErrorTypes.MEDIA_ERROR || data.type === Hls.ErrorTypes.MUX_ERROR) {
    return "corrupt";
  }
  if (!navigator.onLine) return "offline";
  const status = data.response?.code ?? 0;
  if (status === 429) return "limited";
  return status >= 400 ? "missing" : "stalled";
}

const hlsConfig = (startPosition: number) => ({
  enableWorker: false,
  // The player shows captions itself, the same for every source.
  renderTextTracksNatively: false,
  subtitleTrackController: undefined,
  subtitleStreamController: undefined,
  timelineController: undefined,
  startPosition,
  // Loading starts once the playable renditions are known.
  autoStartLoad: false,
  capLevelToPlayerSize: true,
  // Visitors can't see all the pixels of a phone's screen.
  maxDevicePixelRatio: matchMedia("(pointer: coarse)").matches ? 2 : Infinity,
  maxBufferLength: 30,
  // The default buffers 60 MB, which is wasted when a visitor leaves after a minute.
  maxMaxBufferLength: 45,
  backBufferLength: 60,
  fragLoadPolicy: { default: segmentPolicy },
});

/**
 * Creates an adapter that plays the ladder through Media Source Extensions. Only this module
 * imports hls.js.
 */
export function createHlsAdapter(options: HlsAdapterOptions): MediaAdapter {
  const { url, events } = options;
  let media: HTMLVideoElement | null = null;
  let hls: Hls | null = null;
  let { quality, sound } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Set when AV1 drops frames although the browser reported smooth decoding. */
  let avoidsAv1 = false;
  /** Choices that need renditions of the excluded kind. Null means automatic. */
  let otherKind: ReadonlySet<number | null> = new Set();

  function levelOf(instance: Hls, lines: number | null): number {
    if (lines === null) return -1;
    return instance.levels.findLastIndex((level) => linesOf(level) === lines);
  }

  /** Reloads while something is still buffered, so that the visitor doesn't notice. */
  function onFatal(instance: Hls, target: HTMLVideoElement, fault: FaultKind): void {
    clearTimeout(timer);
    const aheadS = bufferedAheadS(spansOf(target.buffered), target.currentTime);
    if (fault === "corrupt" && instance.levels.some(isAv1)) avoidsAv1 = true;
    if (fault === "corrupt" || aheadS < 1) return events.onFault(fault);
    timer = setTimeout(() => {
      if (hls === instance) instance.startLoad(-1);
    }, 1000);
  }

  /**
   * Removes renditions of other codecs before loading, because hls.js can't switch between codecs.
   */
  async function begin(instance: Hls, startPosition: number): Promise<void> {
    const all = [...instance.levels];
    const usual = await chooseLevels(all, { avoidsAv1, lines: null });
    const playable =
      quality === null ? usual : await chooseLevels(all, { avoidsAv1, lines: quality });
    if (hls !== instance) return;
    for (const level of all) {
      if (!playable.includes(level)) instance.removeLevel(instance.levels.indexOf(level));
    }
    const playableLines = new Set(playable.map(linesOf));
    otherKind = new Set([
      ...all.map(linesOf).filter((lines) => !playableLines.has(lines)),
      // These renditions have fewer lines than chosen.
      ...(usual.every((level) => playable.includes(level)) ? [] : [null, ...usual.map(linesOf)]),
    ]);
    events.onQualities(optionsOf(all));
    instance.startLevel =
      quality === null ? chooseStartLevel(instance.levels) : levelOf(instance, quality);
    if (quality !== null) instance.loadLevel = levelOf(instance, quality);
    instance.startLoad(startPosition);
  }

  function start(target: HTMLVideoElement, startS: number): void {
    clearTimeout(timer);
    hls?.destroy();
    const startPosition = startS > 0 ? startS : -1;
    const instance = new Hls(hlsConfig(startPosition));
    hls = instance;
    instance.on(Hls.Events.MANIFEST_PARSED, () => {
      void begin(instance, startPosition);
    });
    instance.on(Hls.Events.AUDIO_TRACKS_UPDATED, (_event, { audioTracks }) => {
      if (sound > 0 && sound < audioTracks.length) instance.audioTrack = sound;
    });
    instance.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => {
      const active = instance.levels[level];
      events.onActiveLines(active === undefined ? null : linesOf(active));
    });
    instance.on(Hls.Events.ERROR, (_event, data) => {
      // hls.js requests a damaged segment again for every rendition. Report it once playback waits.
      const isBufferLow = bufferedAheadS(spansOf(target.buffered), target.currentTime) < 1;
      const isDamage =
        data.details === Hls.ErrorDetails.FRAG_PARSING_ERROR ||
        data.details === Hls.ErrorDetails.BUFFER_APPEND_ERROR;
      if (data.fatal || (isDamage && isBufferLow)) onFatal(instance, target, faultOf(data));
    });
    instance.attachMedia(target);
    instance.loadSource(url);
  }

  return {
    kind: "hls-js",
    attach(target, startS) {
      media = target;
      start(target, startS);
    },
    retry(positionS) {
      if (media !== null) start(media, positionS);
    },
    selectQuality(lines) {
      if (otherKind.has(lines)) return false;
      quality = lines;
      if (hls !== null) hls.nextLevel = levelOf(hls, lines);
      return true;
    },
    selectSound(index) {
      sound = index;
      if (hls !== null && hls.audioTracks.length > index) hls.audioTrack = index;
    },

    destroy() {
      clearTimeout(timer);
      hls?.destroy();
      hls = null;
      if (media !== null) unloadMedia(media);
      media = null;
    },
  };
}
