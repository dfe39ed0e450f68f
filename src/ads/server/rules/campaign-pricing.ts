import { readHours } from "../../contract/campaign-hours.ts";
import { createWeekHours, type CampaignCounts, type CampaignRules } from "./campaign-rules.ts";
import type { CampaignRow } from "../records/campaigns.repository.ts";

type Priced = Pick<CampaignRow, "price_model" | "price_micros" | "budget_micros">;
type Sold = Pick<CampaignCounts, "impressions" | "clicks">;
/** Campaign with its results and revenue. */
type Earning = Priced & Sold & { revenue_micros: number };

/** Converts millionths to an amount rounded to the cent. */
export const toMoney = (micros: number): number => Math.round(micros / 10_000) / 100;

/** Returns the billed event, and its price in millionths. */
function unitOf({ price_model, price_micros }: Priced) {
  const price = price_micros ?? 0;
  if (price_model === "cpm") return { measure: "impressions", micros: price / 1000 } as const;
  if (price_model === "cpc") return { measure: "clicks", micros: price } as const;
  return null;
}

/**
 * Returns the number of events after which the budget is used up; null without a budget. Past events
 * are billed at the price of their day, future ones at the current price.
 */
function billedEvent(campaign: Earning): CampaignRules["paid"] {
  const unit = unitOf(campaign);
  if (campaign.budget_micros === null || unit === null || unit.micros === 0) return null;
  const left = Math.max(0, campaign.budget_micros - campaign.revenue_micros);
  // A sum of fractions may be a little below a whole number.
  const more = Math.floor(left / unit.micros + 1e-6);
  return { measure: unit.measure, count: campaign[unit.measure] + more };
}

/** Returns the properties that delivery uses as they were entered. */
export const plainRulesOf = (row: CampaignRow) => ({
  id: row.id,
  priority: row.priority,
  goal: row.goal,
  goalAmount: row.goal_amount,
  hasEvenPacing: row.has_even_pacing,
  hourlyCap: row.hourly_cap,
  dailyCap: row.daily_cap,
  lifetimeCap: row.lifetime_cap,
  visitorDailyCap: row.visitor_daily_cap,
  rotation: row.rotation,
  separation: row.separation,
  targetCategories: row.target_categories,
  targetTags: row.target_tags,
  targetDevices: row.target_devices,
  targetLanguages: row.target_languages,
  targetCountries: row.target_countries,
  targetReferrals: row.target_referrals,
});

/** Returns the properties of a campaign that delivery uses. @param zone of its hours. */
export const rulesOf = (
  row: CampaignRow & { revenue_micros: number },
  zone: string,
): CampaignRules => ({
  ...plainRulesOf(row),
  startsAtMs: row.starts_at?.getTime() ?? -Infinity,
  endsAtMs: row.ends_at?.getTime() ?? Infinity,
  paid: billedEvent(row),
  hours: createWeekHours(readHours(row.target_hours), zone),
});
