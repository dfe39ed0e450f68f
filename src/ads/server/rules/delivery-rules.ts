import { deviceOf } from "#server/http/access/user-agent.ts";
import type { AdDevice, AdPlacement } from "../../contract/ads.ts";
import { toWallMs } from "../../contract/site-zone.ts";

/** Conditions for showing an ad, besides being active and in the right placement. */
export interface DeliveryRules {
  startsAtMs: number;
  endsAtMs: number;
  /** Time zone of its days. */
  zone: string;
  isHouse: boolean;
  visitorDailyCap: number | null;
  dailyLimit: number | null;
  totalLimit: number | null;
  hasEvenPacing: boolean;
  targetCategories: readonly string[];
  targetDevices: readonly AdDevice[];
  targetLanguages: readonly string[];
}

/** Ad break that is about to start. */
export interface BreakRequest {
  placement: AdPlacement | null;
  /** Length of the video in seconds; null if unknown. */
  durationS: number | null;
  /** Time since the visitor's last ad break, in seconds; null without one. */
  sinceBreakS: number | null;
}

/** Settings for ad breaks. */
export interface BreakRules {
  prerollMinVideoS: number;
  breakGapS: number;
}

/** Visitor, and content around the ad. */
export interface Audience {
  device: AdDevice;
  languages: readonly string[];
  /** Slugs of the categories and tags of that content. */
  categories: readonly string[];
  tags: readonly string[];
  /** Two letters; null unless a proxy sends it. */
  country: string | null;
}

/** Verified impressions of an ad so far. */
export interface Impressions {
  today: number;
  total: number;
}

const dayMs = 86_400_000;

/** Returns whether the time is between start (included) and end (excluded). */
export function isWithinDates(rules: DeliveryRules, nowMs: number): boolean {
  return rules.startsAtMs <= nowMs && nowMs < rules.endsAtMs;
}

export function suitsAudience(rules: DeliveryRules, audience: Audience): boolean {
  const { targetCategories, targetDevices, targetLanguages } = rules;
  return (
    (targetDevices.length === 0 || targetDevices.includes(audience.device)) &&
    (targetLanguages.length === 0 || readsLanguage(targetLanguages, audience.languages)) &&
    (targetCategories.length === 0 ||
      audience.categories.some((slug) => targetCategories.includes(slug)))
  );
}

/**
 * Returns the impressions that the limits allow by now; Infinity without a limit. With even pacing
 * a limit grows with the elapsed time: of the day for the daily limit, of the ad's dates for
 * the total limit.
 */
export function allowedBy(rules: DeliveryRules, nowMs: number): Impressions {
  const { dailyLimit, totalLimit, hasEvenPacing, startsAtMs, endsAtMs, zone } = rules;
  const paced = (limit: number, elapsed: number) =>
    hasEvenPacing ? Math.min(limit, Math.floor(limit * elapsed) + 1) : limit;

  const hasSpan = Number.isFinite(startsAtMs) && Number.isFinite(endsAtMs) && endsAtMs > startsAtMs;
  const elapsed = hasSpan ? (nowMs - startsAtMs) / (endsAtMs - startsAtMs) : 1;
  return {
    today:
      dailyLimit === null ? Infinity : paced(dailyLimit, (toWallMs(zone, nowMs) % dayMs) / dayMs),
    total: totalLimit === null ? Infinity : paced(totalLimit, elapsed),
  };
}

/** Returns whether the limits allow one more impression. */
export function isWithinLimits(
  rules: DeliveryRules,
  impressions: Impressions,
  nowMs: number,
): boolean {
  const allowed = allowedBy(rules, nowMs);
  return impressions.today < allowed.today && impressions.total < allowed.total;
}

/** Returns whether impressions are limited, in total or per visitor. */
export const isCounted = (rules: DeliveryRules): boolean =>
  rules.dailyLimit !== null || rules.totalLimit !== null || rules.visitorDailyCap !== null;

/** Returns whether an ad of the placement interrupts a video. */
export const isBreak = (placement: AdPlacement | null): boolean =>
  placement === "preroll" || placement === "midroll" || placement === "postroll";

/**
 * Returns why there is no ad break now: the last one is too recent, or the video too short. Null if
 * a break is allowed.
 */
export function refusalOf(request: BreakRequest, rules: BreakRules): "recent" | "short" | null {
  const { placement, durationS, sinceBreakS } = request;
  if (isBreak(placement) && sinceBreakS !== null && sinceBreakS < rules.breakGapS) return "recent";
  const isShort = durationS !== null && durationS < rules.prerollMinVideoS;
  return placement === "preroll" && isShort ? "short" : null;
}

/**
 * Returns whether the visitor reads one of the wanted languages. `de` matches `de-ch`, but `de-ch`
 * matches only itself. Browsers send Norwegian as `nb` or `nn`, which `no` includes.
 */
export function readsLanguage(wanted: readonly string[], read: readonly string[]): boolean {
  const all = wanted.flatMap((want) => (want === "no" ? ["no", "nb", "nn"] : want));
  return all.some((want) => read.some((tag) => tag === want || tag.startsWith(`${want}-`)));
}

/**
 * Returns the kind of device that ads can target. A client hint for phones overrides a user agent
 * that looks like a desktop. Televisions get the ads for desktops.
 */
export function adDeviceOf(userAgent: string | undefined, mobileHint?: string): AdDevice {
  const device = deviceOf(userAgent);
  if (device === "phone" || device === "tablet") return device;
  return mobileHint === "?1" ? "phone" : "desktop";
}
