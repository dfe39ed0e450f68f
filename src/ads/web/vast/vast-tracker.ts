import {
  expandMacros,
  type MacroEnvironment,
  type MacroValues,
} from "../../contract/vast-macros.ts";
import type { PlayableAd } from "./vast-ad.ts";

export interface TrackerDeps extends MacroEnvironment {
  /** Requests a URL and ignores the response. */
  send: (url: string) => void;
}

export const quartiles = [
  ["firstQuartile", 0.25],
  ["midpoint", 0.5],
  ["thirdQuartile", 0.75],
] as const;

/**
 * Reason code (VAST 4.3, 3.17.2) for a player that implements none of the frameworks for
 * verification scripts.
 */
const notSupported = 2;

/** Requests every URL of a list of templates. */
export function sendAll(urls: readonly string[], values: MacroValues, deps: TrackerDeps): void {
  for (const url of urls) deps.send(expandMacros(url, values, deps));
}

/**
 * Reports an ad's events to its servers: impressions of all levels once at the first frame, the
 * start and each quartile once and in order, and `complete` only at the end of the media.
 */
export function createVastTracker(
  ad: PlayableAd,
  deps: TrackerDeps,
  context: { mediaPlayheadS?: number; pageUrl?: string } = {},
) {
  const once = new Set<string>();
  const sentProgress = new Set<number>();
  let playheadS = 0;
  let measuredS: number | null = null;
  let assetUrl: string | undefined;
  let isMuted: boolean | null = null;
  let isPaused = false;
  let isFullscreen = false;
  let isOver = false;

  const values = (): MacroValues => ({
    ...context,
    adPlayheadS: playheadS,
    assetUrl,
    podSequence: ad.sequence ?? undefined,
  });
  const event = (name: string) => sendAll(ad.tracking.get(name) ?? [], values(), deps);
  const eventOnce = (name: string) => {
    if (once.has(name)) return;
    once.add(name);
    event(name);
  };

  function reach(share: number, durationS: number | null): void {
    for (const [name, at] of quartiles) if (share >= at) eventOnce(name);
    for (const [index, { offset, url }] of ad.progress.entries()) {
      const isDue =
        offset.kind === "percent"
          ? share * 100 >= offset.percent
          : playheadS >= offset.s || (share >= 1 && durationS !== null && durationS >= offset.s);
      if (!isDue || sentProgress.has(index)) continue;
      sentProgress.add(index);
      sendAll([url], values(), deps);
    }
  }

  const declared = ad.durationS !== null && ad.durationS > 0 ? ad.durationS : null;

  return {
    setAsset(url: string): void {
      assetUrl = url;
    },
    loaded: (): void => eventOnce("loaded"),
    /** Call it at the first frame. */
    impression(): void {
      if (once.has("impression")) return;
      once.add("impression");
      sendAll(ad.impressions, values(), deps);
      sendAll(ad.notVerified, { ...values(), reason: notSupported }, deps);
      eventOnce("creativeView");
    },
    /**
     * Call it with the position and the measured duration in seconds. The duration is null while
     * unknown.
     */
    progress(timeS: number, mediaDurationS: number | null): void {
      if (isOver || timeS <= 0) return;
      playheadS = timeS;
      measuredS = mediaDurationS;
      eventOnce("start");
      const durationS = mediaDurationS ?? declared;
      reach(durationS === null || durationS <= 0 ? 0 : timeS / durationS, durationS);
    },
    /** Call it when the media has played to its end. */
    complete(): void {
      if (isOver) return;
      eventOnce("start");
      // A file may be shorter than declared, so points beyond its end weren't reached.
      reach(1, measuredS ?? (playheadS > 0 ? playheadS : declared));
      isOver = true;
      eventOnce("complete");
    },
    skip(): void {
      if (isOver) return;
      isOver = true;
      eventOnce("skip");
    },
    /** Tracks the click and returns the link with its macros expanded. */
    click(): string | null {
      sendAll(ad.clickTracking, values(), deps);
      return ad.clickThrough === null ? null : expandMacros(ad.clickThrough, values(), deps);
    },
    setMuted(next: boolean): void {
      if (isMuted !== null && isMuted !== next) event(next ? "mute" : "unmute");
      isMuted = next;
    },
    setPaused(next: boolean): void {
      if (isOver || isPaused === next) return;
      isPaused = next;
      event(next ? "pause" : "resume");
    },
    setFullscreen(next: boolean): void {
      if (isFullscreen === next) return;
      isFullscreen = next;
      event(next ? "fullscreen" : "exitFullscreen");
    },
    /**
     * Reports whether half of the ad was in view for two seconds (MRC). Only the first call counts.
     */
    viewable(isViewable: boolean): void {
      if (once.has("viewability")) return;
      once.add("viewability");
      sendAll(isViewable ? ad.viewable : ad.notViewable, values(), deps);
    },
    error(code: number): void {
      if (isOver) return;
      isOver = true;
      sendAll(ad.errorUrls, { ...values(), errorCode: code }, deps);
    },
  };
}

export type VastTracker = ReturnType<typeof createVastTracker>;
