import { z } from "zod";
import { originList } from "./ad-origins.input.ts";
import { originLimits } from "./ad-origins.ts";
import { adIssues, isAdAddress } from "./ad-rules.ts";
import { adDevices, adPlacements, adTrusts, adTypes } from "./ads.ts";
import { isInstant } from "./instant.ts";
import { limits } from "./limits.ts";

const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `at most ${max} characters`)
    .transform((text) => (text === "" ? null : text))
    .nullable();

const optionalUrl = optionalText(2000).refine((value) => value === null || isAdAddress(value), {
  error: "must be an http or https address",
});

const dateTime = z.iso.datetime({ offset: true, local: true });
const day = z.iso.date();

/** ISO 8601 with or without seconds; without a zone it is UTC. Becomes a UTC instant in ISO form. */
const optionalDateTime = z
  .string()
  .trim()
  .transform((text, context) => {
    if (text === "") return null;
    const isDay = day.safeParse(text).success;
    if (!isDay && !dateTime.safeParse(text).success) {
      context.addIssue({ code: "custom", message: "must be a date and time" });
      return z.NEVER;
    }
    const hasZone = isDay || /(z|[+-]\d{2}:?\d{2})$/i.test(text);
    const instant = hasZone ? text : `${text}Z`;
    if (!isInstant(instant)) {
      context.addIssue({ code: "custom", message: "must be a date from 1970 to 9999" });
      return z.NEVER;
    }
    return new Date(instant).toISOString();
  })
  .nullable();

const optionalCount = (max: number, what: string) =>
  z
    .number({ error: `${what} must be a whole number` })
    .int(`${what} must be a whole number`)
    .min(1, `${what} must be at least 1`)
    .max(max, `${what} must be at most ${max}`)
    .nullable();

const slug = z.string().trim().toLowerCase().min(1).max(120);
/** A language, or a language of a region: `en`, `pt-br`. */
const language = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/, "must be a language such as en or pt-br");

const fields = {
  title: z
    .string({ error: "Title is required" })
    .trim()
    .min(1, "Title is required")
    .max(limits.titleMax, `Title has at most ${limits.titleMax} characters`),
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
  /** A direct .mp4 or .webm link or a VAST tag; only for type video. */
  vastTagUrl: optionalUrl.optional(),
  startDate: optionalDateTime.optional(),
  endDate: optionalDateTime.optional(),
  isActive: z.boolean().optional(),
  trust: oneOf(adTrusts).optional(),
  /** Where its scripts and frames may come from, beyond the origins that its HTML names. */
  origins: originList(originLimits.ad).optional(),
  widthPx: optionalCount(4000, "Width").optional(),
  heightPx: optionalCount(4000, "Height").optional(),
  weight: z
    .number({ error: "Weight must be a whole number" })
    .int("Weight must be a whole number")
    .min(1, "Weight must be at least 1")
    .max(1000, "Weight must be at most 1000")
    .optional(),
  /** Impressions per visitor and day (UTC). */
  visitorDailyCap: optionalCount(10_000, "The cap per visitor").optional(),
  /** Impressions per day (UTC) and altogether. */
  dailyLimit: optionalCount(2_000_000_000, "The daily limit").optional(),
  totalLimit: optionalCount(2_000_000_000, "The total limit").optional(),
  /** Spreads a limit over the day, or over the ad's dates. */
  hasEvenPacing: z.boolean().optional(),
  /** Shown in short videos and soon after another ad break as well. */
  ignoresBreakRules: z.boolean().optional(),
  /** Shown only if there is no other ad. */
  isHouse: z.boolean().optional(),
  /** Slugs; empty is everywhere. */
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

/** PUT: absent fields stay as they are. */
export const adPatch = z
  .object({
    ...fields,
    /** Only for users who may approve. */
    isApproved: z.boolean().optional(),
  })
  .partial();
export type AdPatch = z.infer<typeof adPatch>;
