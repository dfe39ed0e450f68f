import type { Generated } from "kysely";
import type { AdDevice, AdPlacement, AdTrust, AdType } from "#ads/contract/ads.ts";
import type {
  AdRotation,
  CampaignGoal,
  CampaignPriority,
  PriceModel,
} from "#ads/contract/campaigns.ts";
import type { Count, NullableDate, Stamp } from "./column-types.ts";

export interface AdsTable {
  id: string;
  campaign_id: string | null;
  title: string;
  description: string | null;
  content: string | null;
  type: AdType;
  placement: AdPlacement;
  image_url: string | null;
  link_url: string | null;
  vast_tag_url: string | null;
  starts_at: NullableDate;
  ends_at: NullableDate;
  is_active: Generated<boolean>;
  is_approved: Generated<boolean>;
  impressions: Count;
  clicks: Count;
  verified_impressions: Count;
  verified_clicks: Count;
  trust: Generated<AdTrust>;
  origins: Generated<string[]>;
  ignores_break_rules: Generated<boolean>;
  is_bumper: Generated<boolean>;
  width_px: number | null;
  height_px: number | null;
  weight: Generated<number>;
  visitor_daily_cap: number | null;
  daily_limit: number | null;
  total_limit: number | null;
  has_even_pacing: Generated<boolean>;
  is_house: Generated<boolean>;
  target_categories: Generated<string[]>;
  target_devices: Generated<AdDevice[]>;
  target_languages: Generated<string[]>;
  created_at: Stamp;
  updated_at: Stamp;
  version: Generated<number>;
}

export interface AdStatsDailyTable {
  ad_id: string;
  day: string;
  placement: AdPlacement;
  impressions: Count;
  suspect_impressions: Count;
  verified_impressions: Count;
  viewable: Count;
  clicks: Count;
  suspect_clicks: Count;
  verified_clicks: Count;
  starts: Count;
  first_quartiles: Count;
  midpoints: Count;
  third_quartiles: Count;
  completes: Count;
  skips: Count;
  errors: Count;
  /** Part of each count that comes from embeds. */
  embed_impressions: Count;
  embed_suspect_impressions: Count;
  embed_verified_impressions: Count;
  embed_viewable: Count;
  embed_clicks: Count;
  embed_suspect_clicks: Count;
  embed_verified_clicks: Count;
  embed_starts: Count;
  embed_first_quartiles: Count;
  embed_midpoints: Count;
  embed_third_quartiles: Count;
  embed_completes: Count;
  embed_skips: Count;
  embed_errors: Count;
}

export interface AdvertisersTable {
  id: string;
  name: string;
  contact: string | null;
  notes: string | null;
  share_hash: Buffer | null;
  created_at: Stamp;
  version: Generated<number>;
}

export interface CampaignsTable {
  id: string;
  advertiser_id: string;
  name: string;
  is_active: Generated<boolean>;
  starts_at: NullableDate;
  ends_at: NullableDate;
  priority: Generated<CampaignPriority>;
  goal: Generated<CampaignGoal>;
  goal_amount: number | null;
  price_model: Generated<PriceModel>;
  price_micros: number | null;
  currency: Generated<string>;
  budget_micros: number | null;
  has_even_pacing: Generated<boolean>;
  hourly_cap: number | null;
  daily_cap: number | null;
  lifetime_cap: number | null;
  visitor_daily_cap: number | null;
  rotation: Generated<AdRotation>;
  separation: string | null;
  target_categories: Generated<string[]>;
  target_tags: Generated<string[]>;
  target_devices: Generated<AdDevice[]>;
  target_languages: Generated<string[]>;
  target_countries: Generated<string[]>;
  target_hours: Generated<string[]>;
  target_referrals: Generated<string[]>;
  impressions: Count;
  viewable: Count;
  clicks: Count;
  created_at: Stamp;
  version: Generated<number>;
}
