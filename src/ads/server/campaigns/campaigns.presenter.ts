import type { Advertiser, Campaign, ComparedAd } from "../../contract/campaigns.ts";
import type { AdRow } from "../records/ads.repository.ts";
import { clickRateInterval } from "../rules/click-rate.ts";
import { forecastCampaign } from "./campaign-forecast.ts";
import { stateOf } from "./campaign-state.ts";
import { plainRulesOf, rulesOf, toMoney } from "../rules/campaign-pricing.ts";
import type { AdvertiserRow, ListedCampaign } from "../records/campaigns.repository.ts";

const amountOf = (micros: number | null) => (micros === null ? null : micros / 1_000_000);

export const presentAdvertiser = (row: AdvertiserRow): Advertiser => ({
  id: row.id,
  name: row.name,
  contact: row.contact,
  notes: row.notes,
  campaignCount: row.campaignCount,
  isShared: row.isShared,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
});

export const presentCampaign = (row: ListedCampaign, nowMs: number, zone: string): Campaign => ({
  ...plainRulesOf(row),
  advertiserId: row.advertiser_id,
  advertiserName: row.advertiser_name,
  name: row.name,
  isActive: row.is_active,
  state: stateOf(row.is_active, rulesOf(row, zone), row, nowMs),
  startDate: row.starts_at?.toISOString() ?? null,
  endDate: row.ends_at?.toISOString() ?? null,
  priceModel: row.price_model,
  price: amountOf(row.price_micros),
  currency: row.currency,
  budget: amountOf(row.budget_micros),
  targetHours: row.target_hours,
  adCount: row.ad_count,
  impressions: row.impressions,
  viewable: row.viewable,
  clicks: row.clicks,
  revenue: toMoney(row.revenue_micros),
  forecast: forecastCampaign(rulesOf(row, zone), row, nowMs),
  createdAt: row.created_at.toISOString(),
  version: row.version,
});

export function presentComparedAd(row: AdRow): ComparedAd {
  const counts = { impressions: row.verified_impressions, clicks: row.verified_clicks };
  return {
    id: row.id,
    title: row.title,
    placement: row.placement,
    isActive: row.is_active,
    isApproved: row.is_approved,
    weight: row.weight,
    ...counts,
    ...clickRateInterval(counts),
  };
}
