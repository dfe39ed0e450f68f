import { z } from "zod";
import {
  language,
  oneOf,
  optionalCount,
  optionalDateTime,
  slug,
  withKnownDates,
} from "./ad-fields.input.ts";
import { adDevices } from "./ads.ts";
import { isHoursLine } from "./campaign-hours.ts";
import {
  adRotations,
  campaignGoals,
  campaignPriorities,
  campaignResponse,
  priceModels,
} from "./campaigns.ts";
import { nameText, optionalText } from "#contract/lists/names.input.ts";
import { editedVersion } from "#contract/videos/edited-version.input.ts";

const name = nameText(200, "Name is required", "at most 200 characters");

export const advertiserInput = z.object({
  name,
  contact: optionalText(300).optional(),
  notes: optionalText(2000).optional(),
  version: editedVersion,
});
export type AdvertiserInput = z.infer<typeof advertiserInput>;

const amount = (what: string) =>
  z
    .number({ error: `${what} must be a number such as 1000 or 2.50` })
    .min(0.0001, `${what} must be more than 0`)
    .max(1_000_000_000, `${what} must be at most 1,000,000,000`)
    .nullable();

const count = (what: string) => optionalCount(2_000_000_000, what).optional();

const fields = {
  advertiserId: z.uuid("Choose an advertiser"),
  name,
  isActive: z.boolean().optional(),
  startDate: optionalDateTime.optional(),
  endDate: optionalDateTime.optional(),
  priority: oneOf(campaignPriorities).optional(),
  goal: oneOf(campaignGoals).optional(),
  /** Number of events, or for `share` a percentage of requests. */
  goalAmount: count("The goal"),
  priceModel: oneOf(priceModels).optional(),
  price: amount("The price").optional(),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, "must be a currency such as EUR or USD")
    .optional(),
  budget: amount("The budget").optional(),
  /** True to spread goal and budget over the dates. */
  hasEvenPacing: z.boolean().optional(),
  hourlyCap: count("The cap per hour"),
  dailyCap: count("The cap per day"),
  lifetimeCap: count("The cap altogether"),
  /** Impressions of all its ads per visitor and day. */
  visitorDailyCap: optionalCount(10_000, "The cap per visitor").optional(),
  rotation: oneOf(adRotations).optional(),
  /** Campaigns with the same word never appear together. */
  separation: optionalText(60)
    .transform((word) => word?.toLowerCase() ?? null)
    .optional(),
  targetCategories: z.array(slug).max(50).optional(),
  targetTags: z.array(slug).max(50).optional(),
  targetDevices: z.array(oneOf(adDevices)).max(3).optional(),
  targetLanguages: z.array(language).max(30).optional(),
  targetCountries: z
    .array(
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, "must be a country such as DE or US"),
    )
    .max(100)
    .optional(),
  targetHours: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(30)
        .refine(isHoursLine, "must be hours of the week such as mon-fri 08-18"),
    )
    .max(50)
    .optional(),
  /** Codes of referral links that brought the visitor. */
  targetReferrals: z.array(slug).max(30).optional(),
  version: editedVersion,
};

const input = z.object(fields);
export type CampaignInput = z.infer<typeof input>;

/** Returns the violated rules that involve several fields. */
function issuesOf(campaign: CampaignInput): { path: string; message: string }[] {
  const { startDate, endDate, goal = "none", goalAmount, priceModel = "none" } = campaign;
  const { price, budget } = campaign;
  const issues: { path: string; message: string }[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (typeof startDate === "string" && typeof endDate === "string" && endDate <= startDate) {
    add("endDate", "The end must be after the start");
  }
  if (goal !== "none" && goalAmount == null) add("goalAmount", "Enter a number for the goal");
  if (goal === "share" && (goalAmount ?? 1) > 100) {
    add("goalAmount", "Share can be at most 100 percent");
  }
  if (priceModel !== "none" && price == null) add("price", "Enter a price");
  if (budget != null && priceModel !== "cpm" && priceModel !== "cpc") {
    add("budget", "A budget needs a price per 1,000 impressions or per click");
  }
  const unitPrice = priceModel === "cpm" ? (price ?? 0) / 1000 : (price ?? 0);
  if (budget != null && budget < unitPrice) {
    add("budget", "The budget is less than the price of a single impression or click");
  }
  return issues;
}

/** Also used for PUT, which replaces all fields. */
export const campaignInput = input.superRefine((campaign, context) => {
  for (const { path, message } of issuesOf(campaign)) {
    context.addIssue({ code: "custom", path: [path], message });
  }
});

/** Body of POST and PUT. */
export const campaignBody = withKnownDates(
  campaignInput,
  Object.keys({ ...fields, ...campaignResponse.shape }),
);
