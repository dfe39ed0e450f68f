import type { AdDevice } from "../../contract/ads.ts";
import type { AdRotation, CampaignGoal, CampaignPriority } from "../../contract/campaigns.ts";
import { toWallMs } from "../../contract/site-zone.ts";
import { readsLanguage, type Audience } from "./delivery-rules.ts";

/** Hours of the week in a time zone, 0 for Monday from 00:00 to 01:00. */
interface WeekHours {
  isActive(atMs: number): boolean;
  /** Returns the active time between two moments. */
  activeMs(fromMs: number, toMs: number): number;
}

const hourMs = 3_600_000;
const hoursOfWeek = 168;
/** 1970-01-01 was a Thursday. */
const sinceMonday = (ms: number) => ms + 72 * hourMs;

/** An hour that the clocks repeat or skip counts once. */
export function createWeekHours(hours: readonly number[], zone: string): WeekHours {
  const listed = new Set(hours);
  const active = Array.from({ length: hoursOfWeek }, (_, hour) => listed.has(hour));
  /** Number of active hours before each hour. */
  const before = [0];
  for (const [at, isActive] of active.entries()) before.push((before[at] ?? 0) + Number(isActive));
  const perWeek = before[hoursOfWeek] ?? 0;

  /** Returns the active time since a Monday long ago. */
  function activeUntil(ms: number): number {
    const hour = Math.floor(sinceMonday(ms) / hourMs);
    const weeks = Math.floor(hour / hoursOfWeek);
    const ofWeek = hour - weeks * hoursOfWeek;
    const begun = active[ofWeek] === true ? sinceMonday(ms) - hour * hourMs : 0;
    return (weeks * perWeek + (before[ofWeek] ?? 0)) * hourMs + begun;
  }

  if (perWeek === hoursOfWeek) {
    return { isActive: () => true, activeMs: (fromMs, toMs) => toMs - fromMs };
  }
  return {
    isActive(ms) {
      return active[Math.floor(sinceMonday(toWallMs(zone, ms)) / hourMs) % hoursOfWeek] === true;
    },
    activeMs: (fromMs, toMs) =>
      activeUntil(toWallMs(zone, toMs)) - activeUntil(toWallMs(zone, fromMs)),
  };
}

/** Rules for when and to whom the ads of a campaign are shown. */
export interface CampaignRules {
  id: string;
  startsAtMs: number;
  endsAtMs: number;
  priority: CampaignPriority;
  goal: CampaignGoal;
  goalAmount: number | null;
  /** Number of events that the budget pays for. */
  paid: { measure: "impressions" | "clicks"; count: number } | null;
  hasEvenPacing: boolean;
  hourlyCap: number | null;
  dailyCap: number | null;
  lifetimeCap: number | null;
  visitorDailyCap: number | null;
  rotation: AdRotation;
  separation: string | null;
  /** Hours of the week in which it runs. */
  hours: WeekHours;
  targetCategories: readonly string[];
  targetTags: readonly string[];
  targetDevices: readonly AdDevice[];
  targetLanguages: readonly string[];
  targetCountries: readonly string[];
  targetReferrals: readonly string[];
}

/** Verified events of all ads of a campaign so far. */
export interface CampaignCounts {
  /** Impressions of this hour and this day. */
  hour: number;
  day: number;
  impressions: number;
  viewable: number;
  clicks: number;
}

export const noCounts: CampaignCounts = { hour: 0, day: 0, impressions: 0, viewable: 0, clicks: 0 };

/** Number of events of one kind allowed so far. */
export interface CampaignLimit {
  measure: keyof CampaignCounts;
  allowed: number;
}

/** Fraction of the time by which delivery runs ahead, so that a goal is reached before the end. */
const lead = 0.01;

/** Returns the elapsed share of its time, 0 to 1; null without dates. */
export function elapsedShare(
  rules: Pick<CampaignRules, "startsAtMs" | "endsAtMs" | "hours">,
  nowMs: number,
): number | null {
  const { startsAtMs, endsAtMs, hours } = rules;
  if (!Number.isFinite(startsAtMs) || !Number.isFinite(endsAtMs)) return null;
  const all = hours.activeMs(startsAtMs, endsAtMs);
  if (all <= 0) return null;
  const until = Math.min(Math.max(nowMs, startsAtMs), endsAtMs);
  return hours.activeMs(startsAtMs, until) / all;
}

/** Returns the limits from goal and budget, spread over the dates. */
function pacedLimits(rules: CampaignRules, nowMs: number): CampaignLimit[] {
  const { goal, goalAmount, paid, hasEvenPacing } = rules;
  const elapsed = hasEvenPacing ? elapsedShare(rules, nowMs) : null;
  const by = (count: number) =>
    elapsed === null ? count : Math.min(count, Math.floor(count * (elapsed + lead)) + 1);
  const limits: CampaignLimit[] = [];
  if (goal !== "none" && goal !== "share" && goalAmount !== null) {
    limits.push({ measure: goal, allowed: by(goalAmount) });
  }
  if (paid !== null) limits.push({ measure: paid.measure, allowed: by(paid.count) });
  return limits;
}

function caps({ hourlyCap, dailyCap, lifetimeCap }: CampaignRules): CampaignLimit[] {
  const limits: CampaignLimit[] = [];
  if (hourlyCap !== null) limits.push({ measure: "hour", allowed: hourlyCap });
  if (dailyCap !== null) limits.push({ measure: "day", allowed: dailyCap });
  if (lifetimeCap !== null) limits.push({ measure: "impressions", allowed: lifetimeCap });
  return limits;
}

export const hasLimits = (rules: CampaignRules): boolean =>
  rules.paid !== null ||
  (rules.goal !== "none" && rules.goal !== "share") ||
  (rules.hourlyCap ?? rules.dailyCap ?? rules.lifetimeCap ?? rules.visitorDailyCap) !== null;

/** Returns all current limits of the campaign. */
export const campaignLimits = (rules: CampaignRules, nowMs: number): CampaignLimit[] => [
  ...pacedLimits(rules, nowMs),
  ...caps(rules),
];

/**
 * Returns the impressions that the limits still allow; Infinity without a limit. Click limits
 * assume the current click-through rate.
 */
export function remainingImpressions(
  limits: readonly CampaignLimit[],
  counts: CampaignCounts,
): number {
  let remaining = Infinity;
  for (const { measure, allowed } of limits) {
    const left = allowed - counts[measure];
    const needed =
      measure === "clicks" && left > 0
        ? Math.ceil((left * (counts.impressions + 100)) / (counts.clicks + 1))
        : left;
    if (needed < remaining) remaining = needed;
  }
  return Math.max(0, remaining);
}

/**
 * Returns the number of impressions that a campaign may have now. `urgency` is how far it is behind
 * its even pace, or null without a goal.
 */
export function campaignPace(
  rules: CampaignRules,
  counts: CampaignCounts,
  nowMs: number,
): { remaining: number; urgency: number | null } {
  const paced = pacedLimits(rules, nowMs);
  const behind = remainingImpressions(paced, counts);
  const remaining = Math.min(behind, remainingImpressions(caps(rules), counts));
  return { remaining, urgency: paced.length === 0 ? null : behind };
}

/** Returns whether the campaign targets the visitor, content and hour, except for referrals. */
export function suitsCampaign(rules: CampaignRules, audience: Audience, nowMs: number): boolean {
  const { targetCategories, targetTags, targetDevices, targetLanguages, targetCountries } = rules;
  return (
    rules.hours.isActive(nowMs) &&
    (targetDevices.length === 0 || targetDevices.includes(audience.device)) &&
    (targetLanguages.length === 0 || readsLanguage(targetLanguages, audience.languages)) &&
    (targetCountries.length === 0 ||
      (audience.country !== null && targetCountries.includes(audience.country))) &&
    (targetCategories.length === 0 ||
      audience.categories.some((slug) => targetCategories.includes(slug))) &&
    (targetTags.length === 0 || audience.tags.some((slug) => targetTags.includes(slug)))
  );
}
