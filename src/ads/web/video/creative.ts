import type { PublicAd } from "../../contract/ads.ts";
import type { Impression } from "../api/report-ad-event.ts";
import type { MediaFile, PlayableAd } from "../vast/vast-ad.ts";

/** Video with its VAST ad, or null for a direct link. */
export interface VideoCreative {
  kind: "video";
  vast: PlayableAd | null;
  files: MediaFile[];
  /** Remaining ads of the pod. */
  next?: readonly PlayableAd[];
  /** Maximum length of the whole break, in seconds. */
  podMaxS?: number | undefined;
  /** Called with the index of the ad that starts, and with null after the last one. */
  onAd?: (index: number | null) => void;
}

/** Image or texts of the ad (`card`), or its HTML. */
export type StaticCreative =
  | { kind: "card"; imageUrl: string | null }
  | { kind: "html"; content: string };

export type Creative = VideoCreative | StaticCreative;

/** Controls of an ad's video outside the ad itself. */
export interface AdVideoControls {
  setMuted(isMuted: boolean): void;
  /** Has no effect before the ad is visible and after it has ended. */
  togglePlay(): void;
}

/** Ad with the creative for an ad break. */
export interface PreparedAd<C extends Creative = Creative> {
  ad: PublicAd;
  /** Null for later ads of a pod, because the ad as a whole is counted once. */
  impression: Impression | null;
  /**
   * Impression for which clicks count, including clicks on later ads of a pod. Defaults to
   * `impression`.
   */
  clicks?: Impression | null;
  creative: C;
  /** True if another ad is tried when this one can't be shown. */
  hasNext?: boolean;
  /** Called with the controls of each video that starts. */
  onVideo?: (video: AdVideoControls) => void;
  /** Position of the content, for VAST macros. */
  mediaPlayheadS?: number;
}
