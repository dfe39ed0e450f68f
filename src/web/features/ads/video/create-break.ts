import type { PublicAd } from "../../../../contract/ads.ts";
import type { AdBreak, AdOutcome, AdStage } from "../../player/core/ads/ad-provider.ts";
import type { Display } from "../api/report-spot.ts";
import type { MediaFile, PlayableAd } from "../vast/vast-ad.ts";
import { playFilm } from "./play-video.ts";
import { playStill } from "./play-still.ts";
import "./spot-break.css";

/** What an ad of a break shows. */
export type Creative =
  | { kind: "film"; vast: PlayableAd | null; files: MediaFile[] }
  | { kind: "card"; imageUrl: string | null }
  | { kind: "html"; content: string };

export interface BreakParts {
  ad: PublicAd;
  display: Display;
  creative: Creative;
  /** Where the content stands, for the ad's servers. */
  mediaPlayheadS?: number;
}

/** A break that shows one ad. */
export function createBreak(parts: BreakParts): AdBreak {
  const { creative } = parts;
  return {
    async play(stage: AdStage): Promise<AdOutcome> {
      try {
        return creative.kind === "film"
          ? await playFilm({ ...parts, creative }, stage)
          : await playStill({ ...parts, creative }, stage);
      } catch (error) {
        console.warn("an ad failed", error);
        return "failed";
      }
    },
  };
}
