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

/** How this browser gets the ladder, or null where it cannot. */
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
 * What to start with. The progressive file shows its first frame soonest, so it starts wherever it
 * exists. The ladder takes over later, see `wantsLadder`.
 */
export function firstAdapter(
  source: Pick<PlayerSource, "hlsUrl" | "progressiveUrl">,
  abilities: BrowserAbilities,
): AdapterKind | null {
  if (source.progressiveUrl !== null) return "progressive";
  return ladderAdapter(source, abilities);
}

/** Whether a progressive file that plays hands over to the adaptive ladder. */
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
