import { z } from "zod";
import { neutralTypes } from "./ad-names.ts";
import { limits } from "./limits.ts";
import { queryBool, queryInt, queryText } from "./paging.ts";

export const adTypes = ["banner", "video", "popup"] as const;
export type AdType = (typeof adTypes)[number];

const neutralType = (name: string): string =>
  Object.entries(neutralTypes).find(([neutral]) => neutral === name)?.[1] ?? name;

export const adPlacements = [
  "header",
  "sidebar",
  "footer",
  "preroll",
  "midroll",
  "postroll",
  "feed",
] as const;
export type AdPlacement = (typeof adPlacements)[number];

export const adDevices = ["phone", "tablet", "desktop"] as const;
export type AdDevice = (typeof adDevices)[number];

/** `isolated`: HTML runs in a sandboxed frame. `page`: it runs in the page; the operator trusts it. */
export const adTrusts = ["isolated", "page"] as const;
export type AdTrust = (typeof adTrusts)[number];

export const publicAd = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string().nullable(),
  /** HTML that may contain scripts. Rendered in a sandboxed frame unless the operator trusts it. */
  content: z.string().nullable(),
  type: z.enum(adTypes),
  placement: z.enum(adPlacements),
  imageUrl: z.string().nullable(),
  linkUrl: z.string().nullable(),
  vastTagUrl: z.string().nullable(),
  trust: z.enum(adTrusts),
  /** Size of the creative in CSS pixels, where the operator declared one. */
  widthPx: z.number().int().nullable(),
  heightPx: z.number().int().nullable(),
  /** How likely this ad is to be picked among those of the response; 0 marks a mere substitute. */
  weight: z.number().int(),
});
export type PublicAd = z.infer<typeof publicAd>;

export const publicAdList = z.object({
  ads: z.array(publicAd),
  /** Identifies this response. Sent back with events, so that no impression counts twice. */
  serve: z.string(),
});
export type PublicAdList = z.infer<typeof publicAdList>;

/**
 * A slot for which there are ads now, so that a page can reserve its space. The same for every
 * visitor: rules that depend on the visitor are left out.
 */
export interface AdSlotInfo {
  placement: AdPlacement;
  /** Whether an ad is part of the page's layout; popups need no space. */
  isInline: boolean;
  /** The largest declared creative, or null where none declares its size. */
  widthPx: number | null;
  heightPx: number | null;
}

const commaList = <const T extends string>(values: readonly T[]) =>
  z
    .string({ error: "must be given once, as text" })
    .max(200)
    .transform((text) => text.split(",").map((part) => neutralType(part.trim())))
    .transform((names) => [...new Set(names)].filter((name) => name !== ""))
    .pipe(z.array(z.enum(values, { error: `must be one of ${values.join(", ")}` })))
    .transform((list) => (list.length === 0 ? undefined : list))
    .optional();

const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

/** An empty value in a query string is an absent one. */
const optionalOneOf = <const T extends string>(values: readonly T[]) =>
  z.preprocess((value) => (value === "" ? undefined : value), oneOf(values).optional());

export const publicAdQuery = z.object({
  placement: optionalOneOf(adPlacements),
  /** One type, or several separated by commas. */
  type: commaList(adTypes),
  limit: queryInt(1, limits.maxPageSize),
  /** Slugs of the categories of the content around the ad, separated by commas. */
  category: queryText(1000),
  /** Derived from the user agent if absent. */
  device: optionalOneOf(adDevices),
});
export type PublicAdQuery = z.infer<typeof publicAdQuery>;

/** Events of an ad beyond impression and click. */
export const adEvents = [
  "viewable",
  "start",
  "firstQuartile",
  "midpoint",
  "thirdQuartile",
  "complete",
  "skip",
  "error",
] as const;
export type AdEvent = (typeof adEvents)[number];

/** The id in the path of a call about one ad. */
export const adParams = z.object({ id: z.string().min(1).max(100) });

const report = {
  serve: z.string().max(64).optional(),
  /** Where the ad was shown, if not in its own placement. */
  placement: oneOf(adPlacements).optional(),
  /** Number of this impression of the ad within one response: the feed repeats its few ads. */
  turn: z.number().int().min(0).max(255).optional(),
};
/** All of it is optional: without a body every request counts. */
export const adReport = z.object(report).nullish();
export const adEventReport = z.object({ event: oneOf(adEvents), ...report });
export const adCounted = z.object({ counted: z.boolean() });
export const adClicked = z.object({ linkUrl: z.string().nullable() });

const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `at most ${max} characters`)
    .transform((text) => (text === "" ? null : text))
    .nullable();

/** Whether it is an http or https address or a path on this site. Nothing else becomes a link. */
export function isAdAddress(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return !/[\u0000-\u0020]/.test(value);
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/\\]/i.test(value);
}

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
    if (day.safeParse(text).success) return `${text}T00:00:00.000Z`;
    if (!dateTime.safeParse(text).success) {
      context.addIssue({ code: "custom", message: "must be a date and time" });
      return z.NEVER;
    }
    const hasZone = /(z|[+-]\d{2}:?\d{2})$/i.test(text);
    return new Date(hasZone ? text : `${text}Z`).toISOString();
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
  /** Shown only if there is no other ad. */
  isHouse: z.boolean().optional(),
  /** Slugs; empty is everywhere. */
  targetCategories: z.array(slug).max(50).optional(),
  targetDevices: z.array(oneOf(adDevices)).max(3).optional(),
  targetLanguages: z.array(language).max(30).optional(),
};

interface Checked {
  type?: AdType;
  vastTagUrl?: string | null;
  startDate?: string | null;
  endDate?: string | null;
}

/** Rules between fields. They apply to the stored ad, so a partial change is merged first. */
export function adIssues(ad: Checked): { path: string; message: string }[] {
  const issues: { path: string; message: string }[] = [];
  if (typeof ad.vastTagUrl === "string" && ad.type !== undefined && ad.type !== "video") {
    issues.push({ path: "vastTagUrl", message: "A video or VAST address is only for type video" });
  }
  const { startDate, endDate } = ad;
  if (typeof startDate === "string" && typeof endDate === "string" && endDate < startDate) {
    issues.push({ path: "endDate", message: "The end must not be before the start" });
  }
  return issues;
}

export const adInput = z.object(fields).superRefine((ad, context) => {
  for (const { path, message } of adIssues(ad)) {
    context.addIssue({ code: "custom", path: [path], message });
  }
});
export type AdInput = z.infer<typeof adInput>;

/** PUT: absent fields stay as they are. */
export const adPatch = z.object(fields).partial();
export type AdPatch = z.infer<typeof adPatch>;

/** An ad as the back office sees it. Dates are UTC instants. */
export const ad = publicAd.extend({
  startDate: z.iso.datetime().nullable(),
  endDate: z.iso.datetime().nullable(),
  isActive: z.boolean(),
  visitorDailyCap: z.number().int().nullable(),
  dailyLimit: z.number().int().nullable(),
  totalLimit: z.number().int().nullable(),
  hasEvenPacing: z.boolean(),
  isHouse: z.boolean(),
  targetCategories: z.array(z.string()),
  targetDevices: z.array(z.enum(adDevices)),
  targetLanguages: z.array(z.string()),
  impressionCount: z.number().int().nonnegative(),
  clickCount: z.number().int().nonnegative(),
  /** Clicks per impression in percent, two decimals; 0 without impressions. */
  ctr: z.number().nonnegative(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Ad = z.infer<typeof ad>;

export const adListQuery = z.object({
  search: queryText(),
  type: optionalOneOf(adTypes),
  placement: optionalOneOf(adPlacements),
  active: z.preprocess((value) => (value === "" ? undefined : value), queryBool),
  limit: queryInt(1, 1000),
  offset: queryInt(0, limits.maxOffset),
});
export type AdListQuery = z.infer<typeof adListQuery>;

export const adList = z.object({ ads: z.array(ad), total: z.number().int().nonnegative() });
export type AdList = z.infer<typeof adList>;

/** Clicks per impression as a percentage with two decimals. */
export function clickThroughRate(clicks: number, impressions: number): number {
  return impressions === 0 ? 0 : Math.round((clicks / impressions) * 10_000) / 100;
}

const counts = {
  impressions: z.number().int(),
  /** Impressions whose user agent looks like a robot. */
  suspectImpressions: z.number().int(),
  viewable: z.number().int(),
  clicks: z.number().int(),
  suspectClicks: z.number().int(),
  starts: z.number().int(),
  firstQuartiles: z.number().int(),
  midpoints: z.number().int(),
  thirdQuartiles: z.number().int(),
  completes: z.number().int(),
  skips: z.number().int(),
  errors: z.number().int(),
};
export const adCounts = z.object(counts);
export type AdCounts = z.infer<typeof adCounts>;

export const adStatsQuery = z.object({ days: queryInt(1, 366) });

/** Days in UTC without gaps; the last one is today. */
export const adStats = z.object({
  days: z.array(z.object({ day: z.iso.date(), ...counts })),
  placements: z.array(z.object({ placement: z.enum(adPlacements), ...counts })),
  totals: adCounts,
});
export type AdStats = z.infer<typeof adStats>;

/** One document of a VAST chain that the server fetched, or why it could not. */
export const fetchedDocument = z.object({
  url: z.string(),
  /** Number of redirects that were followed. */
  redirects: z.number().int(),
  text: z.string().nullable(),
  problem: z.enum(["timeout", "unreachable", "too_large", "refused", "status"]).nullable(),
  status: z.number().int().nullable(),
});
export type FetchedDocument = z.infer<typeof fetchedDocument>;
export const fetchedDocuments = z.object({ documents: z.array(fetchedDocument) });

export const vastTestBody = z.object({
  url: z
    .string({ error: "Give the address of a VAST tag" })
    .trim()
    .max(2000)
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: "Give an http or https address",
    }),
});
