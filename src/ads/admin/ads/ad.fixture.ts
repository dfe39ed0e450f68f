import type { Ad } from "../../contract/ads.ts";
import { publicAd } from "../../web/core/public-ad.fixture.ts";

/** Active ad as the back office receives it. */
export const adminAd = (values: Partial<Ad> = {}): Ad => ({
  ...publicAd({ id: "44444444-4444-4444-8444-444444444444", title: "Autumn" }),
  weight: 1,
  campaignId: null,
  startDate: null,
  endDate: null,
  isActive: true,
  isApproved: true,
  origins: [],
  visitorDailyCap: null,
  dailyLimit: null,
  totalLimit: null,
  hasEvenPacing: false,
  isHouse: false,
  ignoresBreakRules: false,
  targetCategories: [],
  targetDevices: [],
  targetLanguages: [],
  impressionCount: 0,
  clickCount: 0,
  verifiedImpressionCount: 0,
  verifiedClickCount: 0,
  ctr: 0,
  createdAt: "2026-03-04T10:00:00.000Z",
  updatedAt: "2026-03-04T10:00:00.000Z",
  version: 1,
  ...values,
});
