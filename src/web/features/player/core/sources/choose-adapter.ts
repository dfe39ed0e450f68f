import { minLadderDurationS } from "#contract/videos/ladders.ts";
import type { PlayerSource } from "./player-source.ts";

export interface BrowserAbilities {
  hasMediaSource: boolean;
  playsHls: boolean;
  /** WebKit: only its own HLS works with AirPlay, and it uses less energy. */
  prefersNativeHls: boolean;
}

export type AdapterKind = "progressive" | "native-hls" | "hls-js";

export function readBrowserAbilities(media: HTMLVideoElement): BrowserAbilities {
  const playsHls = media.canPlayType("application/vnd.apple.mpegurl") !== "";
  return {
    hasMediaSource: "MediaSource" in globalThis || "ManagedMediaSource" in globalThis,
    playsHls,
    prefersNativeHls: playsHls && "WebKitPlaybackTargetAvailabilityEvent" in globalThis,
  };
}

/** Returns the adapter for the ladder in this browser, or null if it can't play one. */
export function ladderAdapter(
  source: Pick<PlayerSource, "hlsUrl">,
  abilities: BrowserAbilities,
): "native-hls" | "hls-js" | null {
  if (source.hlsUrl === null) return null;
  if (abilities.prefersNativeHls) return "native-hls";
  if (abilities.hasMediaSource) return "hls-js";
  return abilities.playsHls ? "native-hls" : null;
}

/**
 * Chooses the first adapter. The progressive file shows its first frame soonest, so it starts
 * whenever it exists. The ladder takes over later, see `wantsLadder`.
 */
export function firstAdapter(
  source: Pick<PlayerSource, "hlsUrl" | "progressiveUrl">,
  abilities: BrowserAbilities,
): AdapterKind | null {
  if (source.progressiveUrl !== null) return "progressive";
  return ladderAdapter(source, abilities);
}

/** Returns whether a progressive file that plays hands over to the adaptive ladder. */
export function wantsLadder(
  source: Pick<PlayerSource, "hlsUrl" | "durationS">,
  abilities: BrowserAbilities,
  isSavingData: boolean,
): boolean {
  return (
    ladderAdapter(source, abilities) === "hls-js" &&
    source.durationS > minLadderDurationS &&
    !isSavingData
  );
}
