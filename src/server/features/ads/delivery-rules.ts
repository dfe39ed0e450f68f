import type { AdDevice } from "../../../contract/ads.ts";
import { readsLanguage } from "./agent.ts";

/** What decides whether an ad may be shown, beyond being active and of the right place. */
export interface DeliveryRules {
  startsAtMs: number;
  endsAtMs: number;
  isHouse: boolean;
  visitorDailyCap: number | null;
  dailyLimit: number | null;
  totalLimit: number | null;
  hasEvenPacing: boolean;
  targetCategories: readonly string[];
  targetDevices: readonly AdDevice[];
  targetLanguages: readonly string[];
}

/** Who asks, and from where. */
export interface Audience {
  device: AdDevice;
  languages: readonly string[];
  /** Slugs of what is shown around the ad. */
  categories: readonly string[];
}

/** How often an ad was shown so far. */
export interface Shown {
  today: number;
  total: number;
}

const dayMs = 86_400_000;

/** Whether anything but the dates limits the ad. */
export function hasRules(rules: DeliveryRules): boolean {
  return (
    rules.isHouse ||
    rules.visitorDailyCap !== null ||
    rules.dailyLimit !== null ||
    rules.totalLimit !== null ||
    rules.targetCategories.length > 0 ||
    rules.targetDevices.length > 0 ||
    rules.targetLanguages.length > 0
  );
}

/** From the start, the start included, to the end, the end excluded. */
export function isInsideDates(rules: DeliveryRules, nowMs: number): boolean {
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
 * Whether the limits leave room for one more. With even pacing a limit grows with the time that has
 * passed: of the day (UTC) for the daily limit, of the ad's dates for the total one.
 */
export function isWithinLimits(rules: DeliveryRules, shown: Shown, nowMs: number): boolean {
  const { dailyLimit, totalLimit, hasEvenPacing, startsAtMs, endsAtMs } = rules;
  const paced = (limit: number, passed: number) =>
    hasEvenPacing ? Math.min(limit, Math.floor(limit * passed) + 1) : limit;

  if (dailyLimit !== null && shown.today >= paced(dailyLimit, (nowMs % dayMs) / dayMs)) {
    return false;
  }
  if (totalLimit === null) return true;
  const hasSpan = Number.isFinite(startsAtMs) && Number.isFinite(endsAtMs) && endsAtMs > startsAtMs;
  const passed = hasSpan ? (nowMs - startsAtMs) / (endsAtMs - startsAtMs) : 1;
  return shown.total < paced(totalLimit, passed);
}
