import type { PublicAd } from "../../../../contract/ads.ts";
import type { Impression } from "../api/report-ad-event.ts";
import type { MediaFile, PlayableAd } from "../vast/vast-ad.ts";

/** A video, with the VAST ad that it comes from, or null for a direct link. */
export interface VideoCreative {
  kind: "video";
  vast: PlayableAd | null;
  files: MediaFile[];
}

/** An image or the texts of the ad (`card`), or its HTML. */
export type StaticCreative =
  | { kind: "card"; imageUrl: string | null }
  | { kind: "html"; content: string };

export type Creative = VideoCreative | StaticCreative;

/** An ad with the creative that an ad break shows. */
export interface PreparedAd<C extends Creative = Creative> {
  ad: PublicAd;
  impression: Impression;
  creative: C;
  /** Position of the content, for the macros of VAST. */
  mediaPlayheadS?: number;
}
