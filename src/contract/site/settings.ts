import { z } from "zod";
import { emailAddress } from "../accounts/auth.ts";
import { labelOfPath } from "../lists/label-address.ts";
import { nameText, optionalNameText, optionalText } from "../lists/names.input.ts";
import { accentProblem } from "./accent.ts";
import { originList } from "#ads/contract/ad-origins.input.ts";
import { isTimeZone } from "#ads/contract/site-zone.ts";
import { originLimits } from "#ads/contract/ad-origins.ts";
import { premiumAccesses } from "../visitors/passes.ts";
import { commentLinks, commentModes, commentWords } from "../visitors/comments.ts";
import { countries } from "../visitors/countries.ts";
import { editedVersion } from "../videos/edited-version.input.ts";
import { efficientModes } from "../videos/ladders.ts";
import { watchRest } from "../videos/watched-folder.ts";
import { problemInAdsTxt, problemInSellersJson } from "#ads/contract/seller-files.ts";
import { languageCodes } from "./languages.ts";
import { embedOriginOf, isEmbedOrigin, maxEmbedOrigins, siteEmbeddings } from "./embedding.ts";
import { gigabyte, mediaBudgetBytes } from "./media-budget.ts";
import { podcastCategories } from "./podcast-categories.ts";
import { siteOrigin } from "../text-formats.ts";
import { cornerRadii, groundProblem, siteFonts } from "./theme.ts";

/** Accepts an http(s) address or, for images, a path on this site. */
const optionalUrl = (allowPath: boolean) =>
  optionalText(2000).refine(
    (value) => {
      if (value === null) return true;
      // Browsers read a backslash as a slash and skip control characters, so `/\\x` leads to
      // another site.
      if (/[\\\u0000-\u0020\u007f]/.test(value)) return false;
      if (allowPath && /^\/(?!\/)/.test(value)) return true;
      return /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
    },
    { error: "must be an HTTP or HTTPS URL" },
  );

/** Accepts `mailto:` with one address, or an https address, without spaces and line breaks. */
const isSecurityContact = (value: string): boolean =>
  /^mailto:[^\s<>?,]+@[^\s<>?,@]+$/i.test(value) ||
  (/^https:\/\/[^/\s]\S*$/i.test(value) && URL.canParse(value));

const sellerFile = (problemIn: (text: string) => string | null) =>
  optionalText(100_000)
    .superRefine((text, context) => {
      const message = text === null ? null : problemIn(text);
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .optional();

const budgetText = `from ${mediaBudgetBytes.min / gigabyte} to ${mediaBudgetBytes.max / gigabyte} GB, or empty`;

const seconds = z
  .number({ error: "must be a whole number of seconds" })
  .int("must be a whole number of seconds")
  .min(0, "at least 0 seconds")
  .max(86_400, "at most 86400 seconds");

/** Sites as typed or sent: origins, host names and `*.example.org`. Refuses bad ones by name. */
const embedOrigins = z
  .array(z.string().max(500, "is too long for a site"))
  .max(maxEmbedOrigins, `at most ${maxEmbedOrigins} sites`)
  .transform((sites) => [...new Set(sites.map(embedOriginOf))])
  .superRefine((origins, context) => {
    for (const origin of origins) {
      if (isEmbedOrigin(origin)) continue;
      const name = origin.replace(/^https:\/\//, "").slice(0, 80);
      const message = `“${name}” must be a site such as https://example.org or *.example.org, without a path`;
      context.addIssue({ code: "custom", message });
    }
  });

/** Maximum number of labels that are rows on the home page. */
const pinnedMax = 3;

const pinnedLabels = z
  .array(z.string().max(2000, "Each row can have at most 2,000 characters"))
  .max(pinnedMax, `You can add at most ${pinnedMax} rows`)
  .superRefine((paths, context) => {
    for (const path of paths) {
      if (labelOfPath(path) !== null) continue;
      const message = `“${path.slice(0, 80)}” must be the path of a category, tag or actor, such as tags/holidays`;
      context.addIssue({ code: "custom", message });
    }
  });

export const settingsInput = z.object({
  siteName: optionalNameText(100)
    .transform((name) => (name === "" ? null : name))
    .nullable()
    .optional(),
  siteDescription: optionalText(2000).optional(),
  siteUrl: optionalText(2000)
    .refine((value) => value === null || siteOrigin(value) !== null, {
      error: "must be an HTTP or HTTPS URL without a path, such as https://video.example",
    })
    .transform((value) => (value === null ? null : siteOrigin(value)))
    .optional(),
  logoUrl: optionalUrl(true).optional(),
  faviconUrl: optionalUrl(true).optional(),
  /** Six hexadecimal digits; null for the default color. */
  accentColor: optionalText(7)
    .transform((value) => value?.toLowerCase() ?? null)
    .superRefine((value, context) => {
      const problem = value === null ? null : accentProblem(value);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    })
    .optional(),
  /** Background of the pages as six hexadecimal digits; null for the default one. */
  groundColor: optionalText(7)
    .transform((value) => value?.toLowerCase() ?? null)
    .superRefine((value, context) => {
      const problem = value === null ? null : groundProblem(value);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    })
    .optional(),
  cornerRadius: z.enum(cornerRadii).optional(),
  font: z.enum(siteFonts).optional(),
  sourceUrl: optionalUrl(false).optional(),
  securityContact: optionalText(500)
    .refine((value) => value === null || isSecurityContact(value), {
      error: "must be a mailto: address or an HTTPS URL",
    })
    .optional(),
  filterCategories: z
    .array(nameText(80, "Enter a name", "at most 80 characters"))
    .max(30)
    .optional(),
  browseListings: z.boolean().optional(),
  /** Paths of labels whose videos are rows on the home page, such as `tags/holidays`. */
  pinnedLabels: pinnedLabels.optional(),
  /** Seconds; null means fixed fractions of the duration. */
  midrollTimes: z
    .array(z.number().positive().max(86_400))
    .max(20, "at most 20 times")
    .nullable()
    .optional(),
  /** Days during which a removed video can be restored. 0 deletes its files immediately. */
  trashDays: z
    .number()
    .int("must be a whole number of days")
    .min(0, "at least 0 days")
    .max(365, "at most 365 days")
    .optional(),
  terms: optionalText(100_000).optional(),
  privacy: optionalText(100_000).optional(),
  contact: optionalText(100_000).optional(),
  takedownLog: z.boolean().optional(),
  ageGate: z.boolean().optional(),
  blockedCountries: countries.optional(),
  adOrigins: originList(originLimits.settings).optional(),
  adsTxt: sellerFile(problemInAdsTxt),
  appAdsTxt: sellerFile(problemInAdsTxt),
  sellersJson: sellerFile(problemInSellersJson),
  prerollMinVideoS: seconds.optional(),
  breakGapS: seconds.optional(),
  /** 0 shows one ad per break. */
  podMaxS: seconds.max(600, "at most 600 seconds").optional(),
  /** 0 uses `midrollTimes`. */
  midrollEveryMin: z
    .number({ error: "must be a whole number of minutes" })
    .int("must be a whole number of minutes")
    .min(0, "at least 0 minutes")
    .max(1440, "at most 1440 minutes")
    .optional(),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "must be a time zone such as Europe/Berlin")
    .optional(),
  comments: z.enum(commentModes).optional(),
  commentWords: commentWords.optional(),
  commentLinks: commentLinks.optional(),
  language: z.enum(languageCodes).optional(),
  evenLoudness: z.boolean().optional(),
  replayPeak: z.boolean().optional(),
  keepOriginals: z.boolean().optional(),
  efficientRenditions: z.enum(efficientModes).optional(),
  crawlSearch: z.boolean().optional(),
  crawlAi: z.boolean().optional(),
  crawlOthers: z.boolean().optional(),
  mediaOnOtherSites: z.boolean().optional(),
  mediaWithoutOrigin: z.boolean().optional(),
  mediaBytesPerHour: z
    .number()
    .int()
    .min(mediaBudgetBytes.min, budgetText)
    .max(mediaBudgetBytes.max, budgetText)
    .nullable()
    .optional(),
  podcast: z.boolean().optional(),
  podcastCategory: z.enum(podcastCategories).optional(),
  podcastEmail: optionalText(254)
    .refine((value) => value === null || emailAddress.safeParse(value).success, {
      error: "must be an email address",
    })
    .optional(),
  embedding: z.enum(siteEmbeddings).optional(),
  embedOrigins: embedOrigins.optional(),
  adsInEmbeds: z.boolean().optional(),
  premiumAccess: z.enum(premiumAccesses).optional(),
  membersText: optionalText(500).optional(),
  membersUrl: optionalUrl(true).optional(),
  membersInFeed: z.boolean().optional(),
  watchFolder: z.boolean().optional(),
  watchPublishes: z.boolean().optional(),
  watchRestS: z
    .number({ error: "must be a whole number of seconds" })
    .int("must be a whole number of seconds")
    .min(watchRest.min, `at least ${watchRest.min} seconds`)
    .max(watchRest.max, `at most ${watchRest.max} seconds`)
    .optional(),
  version: editedVersion,
});
export type SettingsInput = z.infer<typeof settingsInput>;

export const siteSettings = z.object({
  id: z.string(),
  siteName: z.string().nullable(),
  siteDescription: z.string().nullable(),
  siteUrl: z.string().nullable(),
  logoUrl: z.string().nullable(),
  faviconUrl: z.string().nullable(),
  accentColor: z.string().nullable(),
  groundColor: z.string().nullable(),
  cornerRadius: z.enum(cornerRadii),
  font: z.enum(siteFonts),
  /** Address of the source code. Null means the page `/source` of this site. */
  sourceUrl: z.string().nullable(),
  /** Contact of `/.well-known/security.txt`, for reports of vulnerabilities. */
  securityContact: z.string().nullable(),
  filterCategories: z.array(z.string()),
  browseListings: z.boolean(),
  /** Paths of labels whose videos are rows on the home page. */
  pinnedLabels: z.array(z.string()),
  midrollTimes: z.array(z.number()).nullable(),
  trashDays: z.number().int(),
  /** Site's own pages, as Markdown. */
  terms: z.string().nullable(),
  privacy: z.string().nullable(),
  contact: z.string().nullable(),
  /** True to publish a list of followed takedown notices. */
  takedownLog: z.boolean(),
  /** True to ask visitors to confirm that they are 18 or older. */
  ageGate: z.boolean(),
  /** ISO 3166-1 alpha-2 codes. */
  blockedCountries: z.array(z.string()),
  /** Origins from which every ad may load scripts and frames. */
  adOrigins: z.array(z.string()),
  /** Texts of `/ads.txt`, `/app-ads.txt` and `/sellers.json`, which list authorised sellers. */
  adsTxt: z.string().nullable(),
  appAdsTxt: z.string().nullable(),
  sellersJson: z.string().nullable(),
  /** Minimum duration of a video with a pre-roll, in seconds. */
  prerollMinVideoS: z.number().int(),
  /** Minimum time between two ad breaks of one visitor, in seconds. */
  breakGapS: z.number().int(),
  /** Maximum length of an ad break with several ads, in seconds. */
  podMaxS: z.number().int(),
  /** Minutes between mid-rolls, for videos without mid-roll times of their own. */
  midrollEveryMin: z.number().int(),
  /** Time zone of the days and hours of ads. */
  timeZone: z.string(),
  comments: z.enum(commentModes),
  /** Open comments with one of these words, or with too many links, wait for a moderator. */
  commentWords: z.array(z.string()),
  commentLinks: z.number().int(),
  /** Language of pages without a language in their address. */
  language: z.enum(languageCodes),
  /** True to play all videos equally loud. */
  evenLoudness: z.boolean(),
  /** True to mark the most replayed part on the seek bar. */
  replayPeak: z.boolean(),
  /** True to retain originals after all renditions are done. */
  keepOriginals: z.boolean(),
  /** When to make AV1 renditions in addition to H.264. */
  efficientRenditions: z.enum(efficientModes),
  /** Which crawlers robots.txt lets in: search engines, those that train AI models, and others. */
  crawlSearch: z.boolean(),
  crawlAi: z.boolean(),
  crawlOthers: z.boolean(),
  /** False to refuse media to pages of other sites. */
  mediaOnOtherSites: z.boolean(),
  /** False to refuse media to clients that don't say which site asks. */
  mediaWithoutOrigin: z.boolean(),
  /** Media bytes that an address group may receive in an hour. Null uses `MEDIA_BYTES_PER_HOUR`. */
  mediaBytesPerHour: z.number().int().nullable(),
  /** True if the site's feed is a podcast. */
  podcast: z.boolean(),
  /** Category of the site's podcasts in directories. */
  podcastCategory: z.enum(podcastCategories),
  /** Address of the podcasts' owner, which their feeds show. */
  podcastEmail: z.string().nullable(),
  /** Which sites may embed videos. A video can override this. */
  embedding: z.enum(siteEmbeddings),
  /** Origins that may embed videos if only listed sites may: `https://example.org`, `https://*.example.org`. */
  embedOrigins: z.array(z.string()),
  /** True to play pre-, mid- and post-rolls in embeds, too. */
  adsInEmbeds: z.boolean(),
  /** Who may play premium videos: everyone, or members only. */
  premiumAccess: z.enum(premiumAccesses),
  /** Text in place of a locked video; null for the standard one. */
  membersText: z.string().nullable(),
  /** Page on which visitors become members; null for no button. */
  membersUrl: z.string().nullable(),
  /** True to show a locked video among ten clips of the For You feed. */
  membersInFeed: z.boolean(),
  /** True to import the files that appear in the server's import folder. */
  watchFolder: z.boolean(),
  /** True to publish them. Otherwise they become drafts. */
  watchPublishes: z.boolean(),
  /** How long their size and time must not change before they are imported, in seconds. */
  watchRestS: z.number().int(),
  /** For edits: see `editedVersion`. */
  version: z.number().int(),
});
export type SiteSettings = z.infer<typeof siteSettings>;

/**
 * Pages written by the operator. `privacy` exists even without a text, because it lists the stored
 * data.
 */
export const sitePageNames = ["terms", "privacy", "contact"] as const;
export type SitePageName = (typeof sitePageNames)[number];

/** Link to a page by the operator. */
const ownPageLink = z.object({
  /** Path without a language. */
  href: z.string(),
  text: z.string(),
  /** Texts in other languages, which pages read with `translated`. */
  translations: z.unknown().optional(),
});
export type OwnPageLink = z.infer<typeof ownPageLink>;

export const publicSettings = siteSettings
  .omit({
    id: true,
    version: true,
    securityContact: true,
    midrollTimes: true,
    trashDays: true,
    keepOriginals: true,
    efficientRenditions: true,
    crawlSearch: true,
    crawlAi: true,
    crawlOthers: true,
    mediaOnOtherSites: true,
    mediaWithoutOrigin: true,
    mediaBytesPerHour: true,
    podcast: true,
    podcastCategory: true,
    podcastEmail: true,
    embedOrigins: true,
    adsInEmbeds: true,
    premiumAccess: true,
    membersInFeed: true,
    watchFolder: true,
    watchPublishes: true,
    watchRestS: true,
    blockedCountries: true,
    adOrigins: true,
    adsTxt: true,
    appAdsTxt: true,
    sellersJson: true,
    prerollMinVideoS: true,
    breakGapS: true,
    podMaxS: true,
    midrollEveryMin: true,
    timeZone: true,
    commentWords: true,
    commentLinks: true,
    terms: true,
    privacy: true,
    contact: true,
    groundColor: true,
    cornerRadius: true,
    font: true,
    replayPeak: true,
  })
  .extend({
    pages: z.array(z.enum(sitePageNames)),
    /** Links to pages by the operator, in their order. Absent if there are none. */
    menuLinks: z.array(ownPageLink).optional(),
    footerLinks: z.array(ownPageLink).optional(),
    /** True if the player marks the most replayed part, otherwise absent. */
    replayPeak: z.boolean().optional(),
    /** True if embeds have ad breaks, otherwise absent. */
    adsInEmbeds: z.boolean().optional(),
    /** Absent if other sites may link media files. */
    mediaOnOtherSites: z.boolean().optional(),
    mediaWithoutOrigin: z.boolean().optional(),
    /** Absent if the settings couldn't be read. */
    membersText: z.string().nullable().optional(),
    membersUrl: z.string().nullable().optional(),
  });
export type PublicSettings = z.infer<typeof publicSettings>;

/** Page by the operator. Only own pages have more than the HTML. */
export const sitePage = z.object({
  html: z.string(),
  title: z.string().optional(),
  translations: z.unknown().optional(),
});

export type SitePage = z.infer<typeof sitePage>;

/** Pictures of the site that can be uploaded, with the setting that holds their address. */
export const sitePictures = { logo: "logoUrl", favicon: "faviconUrl" } as const;
export type SitePicture = keyof typeof sitePictures;
