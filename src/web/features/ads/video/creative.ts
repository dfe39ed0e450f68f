import type { PublicAd } from "../../../../contract/ads.ts";
import type { Impression } from "../api/report-ad-event.ts";
import type { MediaFile, PlayableAd } from "../vast/vast-ad.ts";

/** A video, with the VAST ad that it comes from, or null for a direct link. */
export interface VideoCreative {
  kind: "video";
  vast: PlayableAd | null;
  files: MediaFile[];
  /** The ads of its pod that follow it. */
  next?: readonly PlayableAd[];
}

/** An image or the texts of the ad (`card`), or its HTML. */
export type StaticCreative =
  | { kind: "card"; imageUrl: string | null }
  | { kind: "html"; content: string };

export type Creative = VideoCreative | StaticCreative;

/** An ad with the creative that an ad break shows. */
export interface PreparedAd<C extends Creative = Creative> {
  ad: PublicAd;
  /** Null for what follows in a pod: the ad as a whole is counted once. */
  impression: Impression | null;
  creative: C;
  /** Position of the content, for the macros of VAST. */
  mediaPlayheadS?: number;
}
