import { readHours } from "../../contract/campaign-hours.ts";
import type { CampaignCounts, CampaignRules } from "./campaign-rules.ts";
import { createWeekHours } from "./week-hours.ts";
import type { CampaignRow } from "../records/campaigns.repository.ts";

type Priced = Pick<CampaignRow, "price_model" | "price_micros" | "budget_micros">;
type Sold = Pick<CampaignCounts, "impressions" | "clicks">;

/** Returns the billed event, and its price in millionths. */
function unitOf({ price_model, price_micros }: Priced) {
  const price = price_micros ?? 0;
  if (price_model === "cpm") return { measure: "impressions", micros: price / 1000 } as const;
  if (price_model === "cpc") return { measure: "clicks", micros: price } as const;
  return null;
}

/** Returns the number of events that the budget pays; null without a budget. */
function paidBy(campaign: Priced): CampaignRules["paid"] {
  const unit = unitOf(campaign);
  if (campaign.budget_micros === null || unit === null || unit.micros === 0) return null;
  return { measure: unit.measure, count: Math.floor(campaign.budget_micros / unit.micros) };
}

/**
 * Returns the revenue of some of a campaign's events, in millionths. `all` are all its events:
 * together they cost at most the budget, and a flat price is spread over all impressions.
 */
export function computeRevenue(campaign: Priced, sold: Sold, all: Sold): number {
  const { price_model, price_micros, budget_micros } = campaign;
  const unit = unitOf(campaign);
  if (unit !== null) {
    const most = (budget_micros ?? Infinity) / Math.max(1, all[unit.measure]);
    return sold[unit.measure] * Math.min(unit.micros, most);
  }
  if (price_model !== "flat" || all.impressions === 0) return 0;
  return ((price_micros ?? 0) * sold.impressions) / all.impressions;
}

/** Returns the properties of a campaign that delivery uses. */
export const rulesOf = (row: CampaignRow): CampaignRules => ({
  id: row.id,
  startsAtMs: row.starts_at?.getTime() ?? -Infinity,
  endsAtMs: row.ends_at?.getTime() ?? Infinity,
  priority: row.priority,
  goal: row.goal,
  goalAmount: row.goal_amount,
  paid: paidBy(row),
  hasEvenPacing: row.has_even_pacing,
  hourlyCap: row.hourly_cap,
  dailyCap: row.daily_cap,
  lifetimeCap: row.lifetime_cap,
  rotation: row.rotation,
  separation: row.separation,
  hours: createWeekHours(readHours(row.target_hours)),
  targetCategories: row.target_categories,
  targetTags: row.target_tags,
  targetDevices: row.target_devices,
  targetLanguages: row.target_languages,
  targetCountries: row.target_countries,
  targetReferrals: row.target_referrals,
});
