import type { AdErrorCause } from "../../contract/ads.ts";

/** Position in the media: a time, or a percentage of the duration, which is known after loading. */
export type TimeOffset = { kind: "seconds"; s: number } | { kind: "percent"; percent: number };

export interface MediaFile {
  url: string;
  /** MIME type without parameters, lower case. */
  type: string;
  widthPx: number;
  heightPx: number;
  bitrateKbps: number;
}

/** Picture, page or HTML from an ad server. */
export type AdResource =
  | { kind: "image"; url: string }
  | { kind: "frame"; url: string }
  | { kind: "html"; html: string };

/** An icon such as AdChoices that is shown over the ad (VAST 4.3, 3.10). */
export interface VastIcon {
  program: string | null;
  resource: AdResource;
  /** Size of the frame. Null if absent. */
  widthPx: number | null;
  heightPx: number | null;
  /** Position in the ad at which it appears, and how long it stays. Null: until the ad ends. */
  offsetS: number;
  durationS: number | null;
  clickThrough: string | null;
  clickTracking: string[];
  viewTracking: string[];
}

/** Companion ad, shown beside a linear ad while it plays (VAST 4.3, 3.15). */
export interface Companion {
  widthPx: number;
  heightPx: number;
  resource: AdResource;
  altText: string | null;
  /** Link of an image. Other resources contain their own links. */
  clickThrough: string | null;
  clickTracking: string[];
  viewTracking: string[];
}

/**
 * Linear ad with its wrappers' URLs. URLs are absolute templates, whose macros in [BRACKETS] are
 * expanded when requested.
 */
export interface PlayableAd {
  outcome: "play";
  id: string | null;
  title: string | null;
  sequence: number | null;
  wrapperCount: number;
  /** Declared duration. With 0 and null, the media is measured. */
  durationS: number | null;
  skip: TimeOffset | null;
  /** Files that this browser can play, in document order. Never empty. */
  mediaFiles: MediaFile[];
  impressions: string[];
  /** URLs by event name, of the ad and of every wrapper. */
  tracking: Map<string, string[]>;
  /** URLs for vendors whose verification script isn't run, of the ad and of every wrapper. */
  notVerified: string[];
  progress: { offset: TimeOffset; url: string }[];
  clickThrough: string | null;
  clickTracking: string[];
  customClicks: string[];
  viewable: string[];
  notViewable: string[];
  icons: VastIcon[];
  /** Companions of the ad, or else of the nearest wrapper that has some. */
  companions: Companion[];
  errorUrls: string[];
}

/** Ad that can't be shown, with its code of VAST 4.3 section 2.3.6.3 and its error URLs. */
export interface FailedAd {
  outcome: "error";
  id: string | null;
  sequence: number | null;
  wrapperCount: number;
  code: number;
  /** Problem in plain words, for the user. */
  reason: string;
  cause: AdErrorCause;
  errorUrls: string[];
  /** Attribute `fallbackOnNoAd` of the outermost wrapper (VAST 4.3, 3.19). Null if absent. */
  fallbackOnNoAd: boolean | null;
  isWrapper: boolean;
}

export type AdResult = PlayableAd | FailedAd;

/** Problem with a code of VMAP 1.0.1, section 2.5. */
export interface VmapProblem {
  code: number;
  reason: string;
}

/** `<AdBreak>`. URLs are absolute templates. */
export interface VmapBreak {
  /** Index among the document's breaks. */
  index: number;
  id: string | null;
  at: "start" | "end" | TimeOffset;
  /**
   * Seconds after which the break repeats, until the end of the video. Null if it doesn't repeat.
   */
  repeatAfterS: number | null;
  /** VAST document or its URL. Null if there is a `problem`. */
  source: { text: string } | { url: string } | null;
  problem: VmapProblem | null;
  allowsPods: boolean;
  followsWrappers: boolean;
  tracking: Record<"breakStart" | "breakEnd" | "error", string[]>;
}

/** Result of a whole response. `ads` are in document order. */
export interface VastResult {
  ads: AdResult[];
  /**
   * `<Error>` URLs of the root document. They are only requested if there is no ad at all (303).
   */
  rootErrorUrls: string[];
  /** Set if the root isn't a usable VAST document or couldn't be fetched. */
  documentFailure: { code: number; reason: string; cause: AdErrorCause } | null;
  /** Set if the root is a VMAP document, which has no ads yet. */
  breaks?: VmapBreak[];
}

/**
 * Parses `HH:MM:SS(.mmm)`, `N%`, or a number of seconds, which some servers send. Null if invalid.
 */
export function parseOffset(text: string | null | undefined): TimeOffset | null {
  const value = text?.trim() ?? "";
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(value);
  if (percent !== null) {
    const number = Number(percent[1]);
    return number <= 100 ? { kind: "percent", percent: number } : null;
  }
  const clock = /^(\d{1,3}):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$/.exec(value);
  if (clock !== null) {
    const s = Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
    return { kind: "seconds", s };
  }
  return /^\d+(\.\d+)?$/.test(value) ? { kind: "seconds", s: Number(value) } : null;
}

/** Returns the seconds from the start, or null for a percentage of an unknown duration. */
export function offsetSeconds(offset: TimeOffset, durationS: number | null): number | null {
  if (offset.kind === "seconds") return offset.s;
  if (durationS === null || durationS <= 0) return null;
  return (durationS * offset.percent) / 100;
}
