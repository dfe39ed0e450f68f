import { z } from "zod";
import { neutralTypes } from "./ad-names.ts";
import { limits } from "#contract/limits.ts";
import { chainLimits } from "./vast-address.ts";
import { queryBool, queryInt, queryText } from "#contract/lists/paging.ts";

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

/** Where ads are shown: on the site's own pages, or in embeds on other sites. */
export const adOrigins = ["site", "embed"] as const;
export type AdOrigin = (typeof adOrigins)[number];

export const adDevices = ["phone", "tablet", "desktop"] as const;
export type AdDevice = (typeof adDevices)[number];

/**
 * `isolated`: HTML runs in a sandboxed frame. `page`: HTML runs in the page, because the operator
 * trusts it.
 */
export const adTrusts = ["isolated", "page"] as const;
export type AdTrust = (typeof adTrusts)[number];

const publicAd = z.object({
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
  /** Size of the creative in CSS pixels, if declared. */
  widthPx: z.number().int().nullable(),
  heightPx: z.number().int().nullable(),
  /** Lasts 6 s at most and cannot be skipped. */
  isBumper: z.boolean(),
});
export type PublicAd = z.infer<typeof publicAd>;

export const publicAdList = z.object({
  /**
   * In the order drawn. A page shows the first suitable ad, and tries the next one if that fails.
   */
  ads: z.array(publicAd),
  /**
   * Signed token for this response, its ads, the placement and the visitor. Clients send it back
   * with events. It verifies them and makes each event count only once. Expires after 12 hours.
   */
  serve: z.string(),
  /** Maximum length of an ad break: the next ad only starts if it ends within these seconds. */
  podMaxS: z.number().int().optional(),
  /**
   * Signed id of a new visitor, in responses to embeds. Browsers may block cookies in frames on other
   * sites, so the embed sends it back in the header `x-visitor`.
   */
  visitor: z.string().optional(),
});
export type PublicAdList = z.infer<typeof publicAdList>;

/**
 * Slot with current ads, so that a page can reserve its space. It is the same for every visitor
 * because rules that depend on the visitor are ignored.
 */
export interface AdSlotInfo {
  placement: AdPlacement;
  /** True if an ad is part of the page's layout. Popups need no space. */
  isInline: boolean;
  /** True if an ad is a popup, which shows by itself instead of when its slot is near. */
  hasPopups: boolean;
  /** Size of the largest declared creative, or null if none declares one. */
  widthPx: number | null;
  heightPx: number | null;
  /** Ads that run in the page and so need the visitor's consent. Absent if there are none. */
  needsConsent?: "some" | "all";
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

/** Comma-separated slugs of all labels of a video. */
const slugList = queryText(limits.labelsPerVideoMax * (limits.nameMax + 1));

const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

/** Accepts an optional value. An empty one in a query string counts as absent. */
const optionalOneOf = <const T extends string>(values: readonly T[]) =>
  z.preprocess((value) => (value === "" ? undefined : value), oneOf(values).optional());

/** Largest duration that a request may contain, in seconds. */
export const maxBreakS = 1_000_000;

export const publicAdQuery = z.object({
  placement: optionalOneOf(adPlacements),
  /** Embeds get ads of ad breaks, if the settings allow it. */
  origin: optionalOneOf(adOrigins),
  /** One type, or several separated by commas. */
  type: commaList(adTypes),
  limit: queryInt(1, limits.maxPageSize),
  /** Slugs of the categories of the content around the ad. */
  category: slugList,
  /** Slugs of its tags. */
  tag: slugList,
  /** Ads on the same page, as comma-separated `stoppedKey`s. */
  beside: queryText(300),
  /** Derived from the user agent if absent. */
  device: optionalOneOf(adDevices),
  /** For ad breaks: duration of the video, and time since the last break, in seconds. */
  duration: queryInt(0, maxBreakS),
  sinceBreak: queryInt(0, maxBreakS),
  /**
   * Page that shows the ads, as a path or a pattern such as `/video/:slug`. Only pages without forms
   * and secrets get trusted ads. Browsers must send it to get any.
   */
  page: queryText(200),
  /** Id of an ad with further breaks: the list contains only this ad, or none. */
  only: z.preprocess((value) => (value === "" ? undefined : value), z.uuid().optional()),
});

/** Events of an ad beyond impression and click. */
const adEvents = [
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

/** Causes of ad errors. */
const adErrorCauses = [
  // The tag, a wrapper or the first frame took too long.
  "timeout",
  "media_timeout",
  // The tag or a wrapper couldn't be fetched.
  "unreachable",
  // The document isn't VAST, or its chain is too long.
  "invalid",
  "empty",
  // No media file or creative that a browser can show.
  "unsupported",
  "media_failed",
  // Reports without a cause.
  "other",
] as const;
export type AdErrorCause = (typeof adErrorCauses)[number];
export const adErrorCause = z.enum(adErrorCauses);

/** Id in the path of a call about one ad. */
export const adParams = z.object({ id: z.string().min(1).max(100) });

const report = {
  /** Serve token from the response that contained the ad. */
  serve: z.string().max(900).optional(),
  /** Placement of the ad. With a token, it must be the placement that the token was issued for. */
  placement: oneOf(adPlacements).optional(),
  /** Without a token, where the ad was shown. A token contains its origin. */
  origin: oneOf(adOrigins).optional(),
};
/** Optional body. A call without a token counts as unverified, up to a limit. */
export const adReport = z.object(report).nullish();
export const adEventReport = z.object({
  event: oneOf(adEvents),
  /** Cause of an error event. */
  cause: oneOf(adErrorCauses).optional(),
  ...report,
});
/** True if this call changed a count. */
export const adCounted = z.object({ counted: z.boolean() });
/** Targeting of an ad. An empty list excludes no visitor. */
export const adTargets = z.object({
  devices: z.array(z.enum(adDevices)),
  languages: z.array(z.string()),
  /** Slugs of categories and tags. */
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  /** Two letters each. */
  countries: z.array(z.string()),
  /** True if it targets visitors who came by certain links. */
  hasReferrals: z.boolean(),
});
export type AdTargets = z.infer<typeof adTargets>;
export const adClicked = z.object({ linkUrl: z.string().nullable() });

/** Ad in the back office. Dates are UTC instants. */
export const ad = publicAd.extend({
  /** Relative frequency among the ads of its placement. */
  weight: z.number().int(),
  /** Null for an ad without a campaign. */
  campaignId: z.uuid().nullable(),
  startDate: z.iso.datetime().nullable(),
  endDate: z.iso.datetime().nullable(),
  isActive: z.boolean(),
  /** False for an editor's ad that an administrator must still approve. */
  isApproved: z.boolean(),
  origins: z.array(z.string()),
  visitorDailyCap: z.number().int().nullable(),
  dailyLimit: z.number().int().nullable(),
  totalLimit: z.number().int().nullable(),
  hasEvenPacing: z.boolean(),
  isHouse: z.boolean(),
  ignoresBreakRules: z.boolean(),
  targetCategories: z.array(z.string()),
  targetDevices: z.array(z.enum(adDevices)),
  targetLanguages: z.array(z.string()),
  /** All counted events: verified, unverified, and from bots. */
  impressionCount: z.number().int().nonnegative(),
  clickCount: z.number().int().nonnegative(),
  /** Events with a valid serve token, without bots. Limits and reports use them. */
  verifiedImpressionCount: z.number().int().nonnegative(),
  verifiedClickCount: z.number().int().nonnegative(),
  /** `clickCount` per `impressionCount` in percent, two decimals; 0 without impressions. */
  ctr: z.number().nonnegative(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** For edits: see `editedVersion`. */
  version: z.number().int(),
});
export type Ad = z.infer<typeof ad>;

/** Address of an uploaded picture, for `imageUrl` or `content`. */
export const adPicture = z.object({ url: z.string() });

export const adListQuery = z.object({
  search: queryText(),
  type: optionalOneOf(adTypes),
  placement: optionalOneOf(adPlacements),
  active: z.preprocess((value) => (value === "" ? undefined : value), queryBool),
  campaign: z.preprocess((value) => (value === "" ? undefined : value), z.uuid().optional()),
  limit: queryInt(1, 1000),
  offset: queryInt(0, limits.maxOffset),
});
export type AdListQuery = z.infer<typeof adListQuery>;

export const adList = z.object({ ads: z.array(ad), total: z.number().int().nonnegative() });
export type AdList = z.infer<typeof adList>;

const counts = {
  /** Verified: with a valid serve token, and not from a bot. */
  impressions: z.number().int(),
  /** Without a serve token, counted within bounds. */
  unverifiedImpressions: z.number().int(),
  /** Events from bots, identified by user agent. */
  robotImpressions: z.number().int(),
  viewable: z.number().int(),
  clicks: z.number().int(),
  unverifiedClicks: z.number().int(),
  robotClicks: z.number().int(),
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

/** Days without gaps; the last one is today. */
export const adStats = z.object({
  /** Time zone of the days. */
  timeZone: z.string(),
  days: z.array(z.object({ day: z.iso.date(), ...counts })),
  placements: z.array(z.object({ placement: z.enum(adPlacements), ...counts })),
  /** Only origins with events. */
  origins: z.array(z.object({ origin: z.enum(adOrigins), ...counts })),
  totals: adCounts,
  /** Errors of those days, most frequent first. */
  errorCauses: z.array(z.object({ cause: adErrorCause, count: z.number().int() })),
});
export type AdStats = z.infer<typeof adStats>;

/** Document of a VAST chain fetched by the server, or the reason why it failed. */
const fetchedDocument = z.object({
  url: z.string(),
  /** Number of redirects followed. */
  redirects: z.number().int(),
  text: z.string().nullable(),
  problem: z.enum(["timeout", "unreachable", "too_large", "refused", "status"]).nullable(),
  status: z.number().int().nullable(),
});
export type FetchedDocument = z.infer<typeof fetchedDocument>;
/** Remaining limits of the chain, after the browser's own requests. */
export const documentsQuery = z.object({
  documents: queryInt(1, chainLimits.documents),
  bytes: queryInt(1, chainLimits.bytes),
  /** Index of the VMAP break to follow. If absent, no break is followed. */
  break: queryInt(0, 1000),
  /** Value for `[GDPRCONSENT]`: a TCF string, 1 or 0. */
  consent: z
    .string()
    .regex(/^[\w.~-]{1,6000}$/, "must be a TCF string, 1 or 0")
    .optional(),
  /** Value for `${GDPR}`. */
  gdpr: queryInt(0, 1),
});
export const fetchedDocuments = z.object({ documents: z.array(fetchedDocument) });

export const vastTestBody = z.object({
  url: z
    .string({ error: "Enter the URL of a VAST tag" })
    .trim()
    .max(2000)
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: "Enter an HTTP or HTTPS URL",
    }),
});
