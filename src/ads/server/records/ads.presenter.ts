import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { Ad, PublicAd } from "../../contract/ads.ts";
import type { AdRow } from "./ads.repository.ts";

/** Returns the fields of an ad that visitors may see. */
export function presentPublicAd(row: AdRow): PublicAd {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    content: row.content,
    type: row.type,
    placement: row.placement,
    imageUrl: row.image_url,
    linkUrl: row.link_url,
    vastTagUrl: row.vast_tag_url,
    trust: row.trust,
    widthPx: row.width_px,
    heightPx: row.height_px,
    isBumper: row.is_bumper,
  };
}

/** Returns all fields, for the back office and the audit log. */
export function presentAd(row: AdRow): Ad {
  return {
    ...presentPublicAd(row),
    campaignId: row.campaign_id,
    startDate: row.starts_at?.toISOString() ?? null,
    endDate: row.ends_at?.toISOString() ?? null,
    isActive: row.is_active,
    isApproved: row.is_approved,
    origins: row.origins,
    visitorDailyCap: row.visitor_daily_cap,
    dailyLimit: row.daily_limit,
    totalLimit: row.total_limit,
    hasEvenPacing: row.has_even_pacing,
    isHouse: row.is_house,
    ignoresBreakRules: row.ignores_break_rules,
    weight: row.weight,
    targetCategories: row.target_categories,
    targetDevices: row.target_devices,
    targetLanguages: row.target_languages,
    impressionCount: row.impressions,
    clickCount: row.clicks,
    verifiedImpressionCount: row.verified_impressions,
    verifiedClickCount: row.verified_clicks,
    ctr: clickThroughRate(row.clicks, row.impressions),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}
