import { minLadderDurationS } from "#contract/videos/ladders.ts";
import type { PlayerSource } from "./player-source.ts";

export interface BrowserAbilities {
  hasMediaSource: boolean;
  playsHls: boolean;
  /** True in WebKit, where only native HLS works with AirPlay. It also uses less energy. */
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
 * Chooses the first adapter. This is the progressive file if it exists, because it shows its first
 * frame soonest. The ladder takes over later, see `wantsLadder`.
 */
export function firstAdapter(
  source: Pick<PlayerSource, "hlsUrl" | "progressiveUrl">,
  abilities: BrowserAbilities,
): AdapterKind | null {
  if (source.progressiveUrl !== null) return "progressive";
  return ladderAdapter(source, abilities);
}

/** Returns whether to switch from a playing progressive file to the adaptive ladder. */
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
