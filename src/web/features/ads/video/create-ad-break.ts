import type { AdBreak } from "../../player/core/ads/ad-provider.ts";
import type { PreparedAd } from "./creative.ts";
import { playStaticAd } from "./play-static-ad.ts";
import { playVideoAd } from "./play-video-ad.ts";
import "./ad-break.css";

/** An ad break that shows one ad. */
export function createAdBreak(prepared: PreparedAd): AdBreak {
  const { creative } = prepared;
  return {
    async play(stage) {
      try {
        return creative.kind === "video"
          ? await playVideoAd({ ...prepared, creative }, stage)
          : await playStaticAd({ ...prepared, creative }, stage);
      } catch (error) {
        console.warn("an ad failed", error);
        return "failed";
      }
    },
  };
}
