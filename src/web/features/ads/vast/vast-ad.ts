/** A point inside an ad's media: a time, or a share of a duration known only once it is loaded. */
export type TimeOffset = { kind: "seconds"; s: number } | { kind: "percent"; percent: number };

export interface MediaFile {
  url: string;
  /** MIME type without parameters, lower case. */
  type: string;
  widthPx: number;
  heightPx: number;
  bitrateKbps: number;
}

/** A static icon (AdChoices and its kind) that belongs on top of the picture (VAST 4.3, 3.10). */
export interface VastIcon {
  program: string | null;
  imageUrl: string;
  clickThrough: string | null;
  clickTracking: string[];
  viewTracking: string[];
}

/**
 * One linear ad with everything that its wrappers added. URLs are absolute templates: macros in
 * [BRACKETS] are replaced when they are sent.
 */
export interface PlayableAd {
  outcome: "play";
  id: string | null;
  title: string | null;
  sequence: number | null;
  wrapperCount: number;
  /** As declared. 0 and null both mean: measure the media. */
  durationS: number | null;
  skip: TimeOffset | null;
  /** Only what this browser can play, in document order; never empty. */
  mediaFiles: MediaFile[];
  impressions: string[];
  /** Event name to URLs, of the ad and of every wrapper. */
  tracking: Map<string, string[]>;
  progress: { offset: TimeOffset; url: string }[];
  clickThrough: string | null;
  clickTracking: string[];
  customClicks: string[];
  viewable: string[];
  notViewable: string[];
  icons: VastIcon[];
  errorUrls: string[];
}

/** An ad that cannot be shown, with the code of VAST 4.3 section 2.3.6.3 and who is to be told. */
export interface FailedAd {
  outcome: "error";
  id: string | null;
  sequence: number | null;
  wrapperCount: number;
  code: number;
  /** For a person: what is wrong. */
  reason: string;
  errorUrls: string[];
  /** What the outermost wrapper says about substitutes (VAST 4.3, 3.19); null where it says nothing. */
  fallbackOnNoAd: boolean | null;
  isWrapper: boolean;
}

export type AdResult = PlayableAd | FailedAd;

/** What a whole answer came to. `ads` keeps the order of the document. */
export interface VastResult {
  ads: AdResult[];
  /** `<Error>` of the root document: told only when there is no ad at all (303). */
  rootErrorUrls: string[];
  /** Set where the root itself is no usable VAST document, or could not be fetched. */
  documentFailure: { code: number; reason: string } | null;
}

/** `HH:MM:SS(.mmm)`, `N%`, or a bare number of seconds as some servers send it. Null if unreadable. */
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

/** Seconds from the start, or null while a share of an unknown duration cannot be told. */
export function offsetSeconds(offset: TimeOffset, durationS: number | null): number | null {
  if (offset.kind === "seconds") return offset.s;
  if (durationS === null || durationS <= 0) return null;
  return (durationS * offset.percent) / 100;
}
