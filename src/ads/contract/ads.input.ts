import { z } from "zod";
import {
  language,
  oneOf,
  optionalCount,
  optionalDateTime,
  slug,
  withKnownDates,
} from "./ad-fields.input.ts";
import { originList } from "./ad-origins.input.ts";
import { originLimits } from "./ad-origins.ts";
import { adIssues, isAdAddress } from "./ad-rules.ts";
import { ad, adDevices, adPlacements, adTrusts, adTypes } from "./ads.ts";
import { nameText, optionalText } from "#contract/lists/names.input.ts";
import { editedVersion } from "#contract/videos/edited-version.input.ts";
import { limits } from "#contract/limits.ts";

const optionalUrl = optionalText(2000).refine((value) => value === null || isAdAddress(value), {
  error: "must be an HTTP or HTTPS URL",
});

const fields = {
  title: nameText(
    limits.titleMax,
    "Title is required",
    `Title can have at most ${limits.titleMax} characters`,
  ),
  type: z.enum(adTypes, { error: `Type is required: ${adTypes.join(", ")}` }),
  placement: z.enum(adPlacements, { error: `Placement is required: ${adPlacements.join(", ")}` }),
  description: optionalText(2000).optional(),
  content: z
    .string()
    .max(100_000, "at most 100000 characters")
    .transform((text) => (text.trim() === "" ? null : text))
    .nullable()
    .optional(),
  imageUrl: optionalUrl.optional(),
  linkUrl: optionalUrl.optional(),
  /** Campaign whose rules apply in addition to the ad's; null for none. */
  campaignId: z.uuid("must be a campaign").nullable().optional(),
  /** Direct .mp4 or .webm link, or a VAST tag. Only for type video. */
  vastTagUrl: optionalUrl.optional(),
  startDate: optionalDateTime.optional(),
  endDate: optionalDateTime.optional(),
  isActive: z.boolean().optional(),
  trust: oneOf(adTrusts).optional(),
  /** Allowed origins for scripts and frames, beyond those found in its HTML. */
  origins: originList(originLimits.ad).optional(),
  widthPx: optionalCount(4000, "Width").optional(),
  heightPx: optionalCount(4000, "Height").optional(),
  weight: z
    .number({ error: "Weight must be a whole number" })
    .int("Weight must be a whole number")
    .min(1, "Weight must be at least 1")
    .max(1000, "Weight must be at most 1000")
    .optional(),
  /** Impressions per visitor and day. */
  visitorDailyCap: optionalCount(10_000, "The cap per visitor").optional(),
  /** Impressions per day and in total. */
  dailyLimit: optionalCount(2_000_000_000, "The daily limit").optional(),
  totalLimit: optionalCount(2_000_000_000, "The total limit").optional(),
  /** True to spread a limit over the day, or over the ad's dates. */
  hasEvenPacing: z.boolean().optional(),
  /** True to also show it in short videos and soon after another ad break. */
  ignoresBreakRules: z.boolean().optional(),
  /**
   * True for an ad in breaks that lasts 6 s at most, can't be skipped, and is also shown in short
   * videos.
   */
  isBumper: z.boolean().optional(),
  /** True to show it only if there is no other ad. */
  isHouse: z.boolean().optional(),
  /** Slugs; empty for everywhere. */
  targetCategories: z.array(slug).max(50).optional(),
  targetDevices: z.array(oneOf(adDevices)).max(3).optional(),
  targetLanguages: z.array(language).max(30).optional(),
};

export const adInput = z.object(fields).superRefine((ad, context) => {
  for (const { path, message } of adIssues(ad)) {
    context.addIssue({ code: "custom", path: [path], message });
  }
});
export type AdInput = z.infer<typeof adInput>;

const known = Object.keys({ ...fields, ...ad.shape });

/** Body of POST. */
export const adBody = withKnownDates(adInput, known);

/** Fields of PUT. Absent fields stay unchanged. */
export const adPatch = z
  .object({
    ...fields,
    /** Only for users who may approve. */
    isApproved: z.boolean().optional(),
    version: editedVersion,
  })
  .partial();
export const adPatchBody = withKnownDates(adPatch, known);
export type AdPatch = z.infer<typeof adPatch>;
