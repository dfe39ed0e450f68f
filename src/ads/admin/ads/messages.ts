import type { AdErrorCause } from "../../contract/ads.ts";

/** Texts of the ads page. The specification fixes the first ones. */
export const adMessages = {
  empty: "No ads found",
  loading: "Loading ads...",
  confirmDelete: "Are you sure you want to delete this ad?",
  fetchFailed: "Failed to fetch ads",
  saveFailed: "Failed to save ad",
  deleteFailed: "Failed to delete ad",
  changedSince:
    "The ad changed after you opened it, so it wasn't approved. Review it again, then approve it.",

  title: "Advertisements",
  total: (count: number) => `Total: ${count.toLocaleString()} ${count === 1 ? "ad" : "ads"}`,
  add: "Add Advertisement",
  edit: "Edit Advertisement",
  copy: (title: string) => `Copy ${title}`,
  copyTitle: "Copy Advertisement",
  copyName: (title: string) => `Copy of ${title}`,
  test: "Test a VAST tag",
  emptyHint: "Try different filters.",
  emptyFirst: "Create your first ad to show it on pages, in videos or in the feed.",
  alone: "No campaign",
  inZone: (timeZone: string) => `${timeZone} time`,
  dayHint: (timeZone: string) =>
    `The day starts at midnight, ${timeZone} time. Leave empty for no limit`,
  lastDays: (days: number, timeZone: string) => `Last ${days} days, ${timeZone} time`,
  campaignHint: "The campaign's dates, goals, caps and targets apply in addition to the ad's own",
  uploadPicture: "Upload image",
  originsHint:
    "One per line, such as https://cdn.example.com or https://*.example.com. Origins in the ad's own HTML are always allowed",
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
  waiting: "Waiting for approval",
  approve: "Approve",
  approveAd: (title: string) => `Approve ${title}`,
  waitsNote: "An administrator has to approve the ad after every change.",
  checks: "Creative checks",
  checksPassed:
    "Nothing to fix. These checks look for missing content, large HTML, unclosed scripts and URLs without HTTPS.",
  checksFailed: "Creative checks: fix these problems before activating the ad",
  blocked: {
    script: (origin: string) =>
      `Blocked a script from ${origin}. The ad may stay empty without it.`,
    frame: (origin: string) => `Blocked a frame from ${origin}. The ad may stay empty without it.`,
  },
  previewDevice: "Preview on",
  previewTitle: (placement: string, device: string) => `Preview: ${placement}, ${device}`,
  previewNote: (widthPx: number) =>
    `Shows the ad as visitors see it, in an outline of a page ${widthPx} pixels wide.`,
  previewPlay: "Play",
  previewTag: "This ad uses a VAST tag. Test the tag to see which video it plays.",
  notShownIn: (placement: string) =>
    `${placement} doesn't show ads of this type. Ad breaks show videos, pages show banners and popups, and the feed shows banners and videos.`,
  pictureFailed: "The image doesn't load. Visitors see the title instead.",
  blockedPlain: "You can only allow HTTPS origins.",
  allow: (origin: string) => `Allow ${origin}`,
  confirmBlocked: (origins: readonly string[]) =>
    `The preview blocked content from ${origins.join(", ")}, so visitors may see an empty ad. To fix this, allow these origins or turn off Active. Save it as active anyway?`,
  confirmOrigins: (hosts: readonly string[]) =>
    hosts.length === 0
      ? "This ad's scripts can't load anything from other sites, because it lists no origins. Activate it anyway?"
      : `This ad's scripts can only load scripts and frames from ${hosts.join(", ")}, because it lists no other origins. Activate it anyway?`,
  trustWarning:
    "This ad's scripts will run as part of your pages. They can read what visitors see and act on their behalf, including yours. Only choose this for code you wrote or reviewed. Your choice is recorded in the audit log.",
  confirmTrust:
    "Let this ad's scripts run in your pages? They can act on behalf of every visitor, including administrators.",
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
export const measureOptions = optionsOf(measures);
