import { z } from "zod";
import { adCounts, adDevices, adErrorCause, adOrigins, adPlacements } from "./ads.ts";
import { addDays } from "./site-zone.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { isInstant } from "#contract/text-formats.ts";

/** In order of delivery: each is shown if the previous one has no ad. */
export const campaignPriorities = ["sponsorship", "standard", "house"] as const;
export type CampaignPriority = (typeof campaignPriorities)[number];

/** Goals of a campaign. `share` is a percentage of the requests within its priority. */
export const campaignGoals = ["none", "impressions", "viewable", "clicks", "share"] as const;
export type CampaignGoal = (typeof campaignGoals)[number];

/**
 * Current state of a campaign. A completed one is past its end or has reached its goal, cap or
 * budget.
 */
export const campaignStates = ["draft", "scheduled", "running", "paused", "completed"] as const;
export type CampaignState = (typeof campaignStates)[number];
/** Price per 1,000 impressions, per click, or for the whole campaign. */
export const priceModels = ["none", "cpm", "cpc", "flat"] as const;
export type PriceModel = (typeof priceModels)[number];

/** Ways to rotate the ads of one campaign. */
export const adRotations = ["even", "weight"] as const;
export type AdRotation = (typeof adRotations)[number];

const advertiser = z.object({
  id: z.uuid(),
  name: z.string(),
  contact: z.string().nullable(),
  notes: z.string().nullable(),
  campaignCount: z.number().int(),
  /** True if a secret link shows its report. */
  isShared: z.boolean(),
  createdAt: z.iso.datetime(),
  /** For edits: see `editedVersion`. */
  version: z.number().int(),
});
export type Advertiser = z.infer<typeof advertiser>;
export const advertiserResponse = advertiser;
export const advertiserList = z.object({ advertisers: z.array(advertiser) });

/** Secret part of the link, shown once. */
export const shareKey = z.object({ key: z.string() });

/** Expected result of a campaign. See `forecastCampaign`. */
const forecast = z.object({
  /** Expected result in percent of the goal. */
  percent: z.number().int().nonnegative(),
  expected: z.number().int().nonnegative(),
  goal: z.number().int(),
  /** Elapsed share of its time, in percent. */
  elapsedPercent: z.number(),
});
export type Forecast = z.infer<typeof forecast>;

const campaign = z.object({
  id: z.uuid(),
  advertiserId: z.uuid(),
  advertiserName: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  state: z.enum(campaignStates),
  startDate: z.iso.datetime().nullable(),
  endDate: z.iso.datetime().nullable(),
  priority: z.enum(campaignPriorities),
  goal: z.enum(campaignGoals),
  goalAmount: z.number().int().nullable(),
  priceModel: z.enum(priceModels),
  price: z.number().nullable(),
  currency: z.string(),
  budget: z.number().nullable(),
  hasEvenPacing: z.boolean(),
  hourlyCap: z.number().int().nullable(),
  dailyCap: z.number().int().nullable(),
  lifetimeCap: z.number().int().nullable(),
  /** Impressions of all its ads per visitor and day. */
  visitorDailyCap: z.number().int().nullable(),
  rotation: z.enum(adRotations),
  separation: z.string().nullable(),
  targetCategories: z.array(z.string()),
  targetTags: z.array(z.string()),
  targetDevices: z.array(z.enum(adDevices)),
  targetLanguages: z.array(z.string()),
  targetCountries: z.array(z.string()),
  targetHours: z.array(z.string()),
  targetReferrals: z.array(z.string()),
  adCount: z.number().int(),
  /** Verified events of its ads. */
  impressions: z.number().int(),
  viewable: z.number().int(),
  clicks: z.number().int(),
  /** Never more than the budget. */
  revenue: z.number(),
  /** Null without a countable goal, without dates, or before the start. */
  forecast: forecast.nullable(),
  createdAt: z.iso.datetime(),
  /** For edits: see `editedVersion`. */
  version: z.number().int(),
});
export type Campaign = z.infer<typeof campaign>;
export const campaignResponse = campaign;
/** `timeZone` applies to dates, hours, caps and reports. */
export const campaignList = z.object({ campaigns: z.array(campaign), timeZone: z.string() });
export type CampaignList = z.infer<typeof campaignList>;

/** Ad of a campaign, compared with the others. */
const comparedAd = z.object({
  id: z.uuid(),
  title: z.string(),
  placement: z.enum(adPlacements),
  isActive: z.boolean(),
  isApproved: z.boolean(),
  weight: z.number().int(),
  impressions: z.number().int(),
  clicks: z.number().int(),
  /** Click rate in percent, with its 95% confidence interval. */
  rate: z.number(),
  rateFrom: z.number(),
  rateTo: z.number(),
});
export type ComparedAd = z.infer<typeof comparedAd>;
export const campaignDetails = z.object({ campaign, ads: z.array(comparedAd) });
export type CampaignDetails = z.infer<typeof campaignDetails>;

export const reportGroups = ["day", "placement", "origin", "advertiser", "campaign", "ad"] as const;
export type ReportGroup = (typeof reportGroups)[number];

const optionalId = z.preprocess((value) => (value === "" ? undefined : value), z.uuid().optional());
const optionalDay = z.preprocess(
  (value) => (value === "" ? undefined : value),
  // Aborts, because the rules below calculate with valid days.
  z.iso.date({ abort: true }).refine(isInstant, "must be a date from 1970 to 9999").optional(),
);
/** Longest report, in days. */
const maxReportDays = 1100;
export const reportQuery = z
  .object({
    days: queryInt(1, 366),
    /** First and last day, instead of `days`. */
    from: optionalDay,
    to: optionalDay,
    group: z.enum(reportGroups).optional(),
    advertiser: optionalId,
    campaign: optionalId,
    placement: z.preprocess(
      (value) => (value === "" ? undefined : value),
      z.enum(adPlacements).optional(),
    ),
    origin: z.preprocess(
      (value) => (value === "" ? undefined : value),
      z.enum(adOrigins).optional(),
    ),
  })
  .superRefine(({ from, to }, context) => {
    const add = (message: string) => context.addIssue({ code: "custom", path: ["to"], message });
    if ((from === undefined) !== (to === undefined))
      return add("Enter both the first and the last day");
    if (from === undefined || to === undefined) return;
    if (to < from) add("The last day must not be before the first");
    else if (addDays(from, maxReportDays) <= to) add(`A report has at most ${maxReportDays} days`);
  });
export type ReportQuery = z.infer<typeof reportQuery>;

const money = z.object({
  currency: z.string(),
  amount: z.number(),
  /** Revenue per 1,000 impressions of campaigns in this currency. */
  ecpm: z.number(),
});
export type Money = z.infer<typeof money>;

const figures = adCounts.extend({ revenue: z.array(money) });
export type ReportFigures = z.infer<typeof figures>;

const requests = z.object({
  /**
   * Number of lists requested, and how many of them contained an ad. Null if they can't be
   * attributed.
   */
  requests: z.number().int().nullable(),
  filled: z.number().int().nullable(),
  robotRequests: z.number().int().nullable(),
});

/** Days in the time zone; no gaps if the rows are days. */
export const adReport = z.object({
  timeZone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  rows: z.array(
    figures.extend({
      key: z.string(),
      name: z.string(),
      /**
       * Names of the campaign and advertiser in rows by ad, campaign or advertiser. Empty for an ad
       * without a campaign, and null in other rows.
       */
      campaign: z.string().nullable(),
      advertiser: z.string().nullable(),
      ...requests.shape,
    }),
  ),
  totals: figures.extend(requests.shape),
  errorCauses: z.array(z.object({ cause: adErrorCause, count: z.number().int() })),
});
export type AdReport = z.infer<typeof adReport>;

/** Report for holders of a secret link. */
export const sharedReport = z.object({
  advertiser: z.string(),
  days: adReport,
  campaigns: adReport,
});
export type SharedReport = z.infer<typeof sharedReport>;
export const sharedReportBody = z.object({
  key: z.string().min(1).max(200),
  days: z.number().int().min(1).max(366).optional(),
});
