import type { AdErrorCause } from "../../contract/ads.ts";

/** Texts of the ads page that contain values or are used in several places. */
export const adMessages = {
  saveFailed: "Failed to save ad",
  changedSinceOpened:
    "The ad changed after you opened it, so it wasn't approved. Review it again, then approve it.",
  dayHint: (timeZone: string) =>
    `The day starts at midnight, ${timeZone} time. Leave empty for no limit`,
  slugsHint: {
    categories: "Slugs, separated by commas",
    tags: "Slugs, separated by commas",
    referrals: "Referral codes, separated by commas",
  },
  unknownSlugs: {
    categories: (slugs: readonly string[]) => `No category has the slug ${slugs.join(", ")}`,
    tags: (slugs: readonly string[]) => `No tag has the slug ${slugs.join(", ")}`,
    referrals: (codes: readonly string[]) => `No referral link has the code ${codes.join(", ")}`,
  },
  blocked: {
    script: (origin: string) =>
      `Blocked a script from ${origin}. The ad may stay empty without it.`,
    frame: (origin: string) => `Blocked a frame from ${origin}. The ad may stay empty without it.`,
  },
  confirmBlocked: (origins: readonly string[]) =>
    `The preview blocked content from ${origins.join(", ")}, so visitors may see an empty ad. To fix this, allow these origins or turn off Active. Save it as active anyway?`,
  confirmOrigins: (hosts: readonly string[]) =>
    hosts.length === 0
      ? "This ad's scripts can't load anything from other sites, because it lists no origins. Activate it anyway?"
      : `This ad's scripts can only load scripts and frames from ${hosts.join(", ")}, because it lists no other origins. Activate it anyway?`,
} as const;

export const deviceLabels = { phone: "Phone", tablet: "Tablet", desktop: "Desktop" } as const;
export const typeLabels = { banner: "Banner", video: "Video", popup: "Popup" } as const;
export const placementLabels = {
  header: "Header",
  sidebar: "Sidebar",
  footer: "Footer",
  preroll: "Pre-roll",
  midroll: "Mid-roll",
  postroll: "Post-roll",
  feed: "Feed",
} as const;

export const originLabels = { site: "This site", embed: "Embeds" } as const;

export const placementHints: Record<string, string> = {
  header: "Above the player on video pages",
  sidebar: "Beside or below the player on video pages",
  footer: "At the bottom of every page",
  preroll: "Before a video",
  midroll: "During a video",
  postroll: "After a video",
  feed: "After every third video in the feed",
} satisfies Record<keyof typeof placementLabels, string>;

/** Measures available in charts. */
export const measures = {
  impressions: "Impressions",
  viewable: "Viewable",
  clicks: "Clicks",
  starts: "Starts",
  firstQuartiles: "First quartile",
  midpoints: "Midpoint",
  thirdQuartiles: "Third quartile",
  completes: "Completes",
  skips: "Skips",
  errors: "Errors",
  unverifiedImpressions: "Unverified impressions",
  robotImpressions: "Bot impressions",
} as const;

/** Causes of ad errors with explanations. */
export const errorCauseLabels = {
  timeout: {
    name: "Too slow",
    note: "The tag didn't respond in time, so the video continued without the ad.",
  },
  unreachable: {
    name: "Unreachable",
    note: "The tag or one of its wrappers couldn't be fetched.",
  },
  invalid: {
    name: "Invalid response",
    note: "The response isn't valid VAST or has too many wrappers.",
  },
  empty: { name: "No ad", note: "The network had no ad to show." },
  unsupported: {
    name: "Not playable",
    note: "The visitor's browser can't play any of the ad's media files.",
  },
  media_timeout: { name: "Video too slow", note: "The ad's video didn't start in time." },
  media_failed: {
    name: "Video failed",
    note: "The ad's video couldn't be loaded or decoded.",
  },
  other: { name: "Unknown", note: "The player didn't report a cause." },
} as const satisfies Record<AdErrorCause, { name: string; note: string }>;

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

export const typeOptions = optionsOf(typeLabels);
export const placementOptions = optionsOf(placementLabels);
export const originOptions = optionsOf(originLabels);
export const measureOptions = optionsOf(measures);
