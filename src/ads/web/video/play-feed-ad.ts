import type { PublicAd } from "../../contract/ads.ts";
import { runAdBreak } from "#web/features/player/core/ads/ad-break.ts";
import { outOfTime } from "#web/features/player/core/ads/ad-provider.ts";
import type { Impression } from "../api/report-ad-event.ts";
import { createAdBreak } from "./create-ad-break.ts";
import type { AdVideoControls } from "./creative.ts";
import { findCreative } from "./prepare-ad-break.ts";

interface FeedAdOptions {
  ad: PublicAd;
  impression: Impression;
  container: HTMLElement;
  /** Aborted when the visitor leaves the item. */
  signal: AbortSignal;
  /** Called when the ad starts. */
  isMuted: () => boolean;
  onVideo: (video: AdVideoControls) => void;
  onMutedChange: (isMuted: boolean) => void;
}

/** Plays a video ad as a feed item. Resolves at its end, or if nothing is visible in time. */
export async function playFeedAd(options: FeedAdOptions): Promise<void> {
  const { ad, impression, container, signal, onVideo } = options;
  const search = new AbortController();
  const find = async () => {
    const ending = AbortSignal.any([signal, search.signal]);
    const creative = await findCreative(ad, impression, { signal: ending, maxAds: 1 });
    return creative && createAdBreak({ ad, impression, creative, onVideo });
  };
  await runAdBreak({
    prepared: find(),
    container,
    signal,
    sound: {
      get isMuted() {
        return options.isMuted();
      },
      volume: 1,
    },
    onLate: () => search.abort(outOfTime()),
    pausesWhenHidden: true,
    onSoundChange: ({ isMuted }) => options.onMutedChange(isMuted),
  });
}
