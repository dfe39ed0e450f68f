import type { PublicAd } from "../../contract/ads.ts";
import type { Impression } from "../api/report-ad-event.ts";
import type { MediaFile, PlayableAd } from "../vast/vast-ad.ts";

/** A video, with the VAST ad that it comes from, or null for a direct link. */
export interface VideoCreative {
  kind: "video";
  vast: PlayableAd | null;
  files: MediaFile[];
  /** The ads of its pod that follow it. */
  next?: readonly PlayableAd[];
  /** Maximum length of the whole break, in seconds. */
  podMaxS?: number | undefined;
  /** Called with the position of the ad that begins, 0 for the first, and with null after the last. */
  onAd?: (index: number | null) => void;
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
  /**
   * Impression that clicks count for, also those on later ads of a pod. Defaults to `impression`.
   */
  clicks?: Impression | null;
  creative: C;
  /** Another ad is tried where nothing of this one can be shown. */
  hasNext?: boolean;
  /** Position of the content, for the macros of VAST. */
  mediaPlayheadS?: number;
}
