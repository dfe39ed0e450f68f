import type { AdErrorCause } from "../../contract/ads.ts";

/** Texts of the page, starting with those fixed by the specification. */
export const adMessages = {
  empty: "No ads found",
  loading: "Loading ads...",
  confirmDelete: "Are you sure you want to delete this ad?",
  fetchFailed: "Failed to fetch ads",
  saveFailed: "Failed to save ad",
  deleteFailed: "Failed to delete ad",
  changedSince:
    "The ad was not approved: it was changed after you loaded it. Look at it again, then approve it.",

  title: "Advertisements",
  total: (count: number) => `Total: ${count.toLocaleString()} ${count === 1 ? "ad" : "ads"}`,
  add: "Add Advertisement",
  edit: "Edit Advertisement",
  test: "Test a VAST tag",
  emptyHint: "Try other filters.",
  emptyFirst: "Create the first one to show it in a page, a video or the feed.",
  alone: "None: the ad stands alone",
  campaignHint: "Its dates, goals, caps and targets apply besides those of the ad",
  originsHint:
    "One on each line, as https://cdn.example.com or https://*.example.com. Those that the HTML itself names are allowed without it",
  slugsHint: {
    categories: "Slugs, separated by commas",
    tags: "Slugs, separated by commas",
    referrals: "Codes of links by which visitors came",
  },
  unknownSlugs: {
    categories: (slugs: readonly string[]) => `No category has the slug ${slugs.join(", ")}`,
    tags: (slugs: readonly string[]) => `No tag has the slug ${slugs.join(", ")}`,
    referrals: (codes: readonly string[]) => `No referral link has the code ${codes.join(", ")}`,
  },
  waiting: "Waits for approval",
  approve: "Approve",
  approveAd: (title: string) => `Approve ${title}`,
  waitsNote: "After every change the ad waits until an administrator approves it.",
  checks: "Checks of the creative",
  checksPassed: "Nothing was found.",
  checksFailed: "Checks of the creative: it cannot be active yet",
  blocked: {
    script: (origin: string) => `Blocked: a script of ${origin}. Without it the ad may stay empty.`,
    frame: (origin: string) => `Blocked: a frame of ${origin}. Without it the ad may stay empty.`,
  },
  previewDevice: "Preview on",
  previewTitle: (placement: string, device: string) => `Preview: ${placement}, ${device}`,
  previewNote: (widthPx: number) =>
    `An outline of the page, ${widthPx} pixels wide, with the ad as visitors see it there.`,
  previewPlay: "Play",
  previewTag: "A VAST tag: test it to see what it leads to.",
  notShownIn: (placement: string) =>
    `${placement}: ads of this type are not shown there. Ad breaks show videos, pages show banners and popups, the feed shows banners and videos.`,
  pictureFailed: "The picture does not load. Visitors see the title instead.",
  blockedPlain: "Only https origins can be allowed.",
  allow: (origin: string) => `Allow ${origin}`,
  trustWarning:
    "Scripts of this ad will run as part of your pages: they can read what visitors see and act in their name, yours included. Choose this only for code that you wrote or checked. The choice is written to the audit log.",
  confirmTrust:
    "Let the scripts of this ad run in your pages? They can act in the name of every visitor, administrators included.",
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
  robotImpressions: "Robot impressions",
} as const;

/** Causes of ad errors, and their meaning. */
export const errorCauseLabels = {
  timeout: {
    name: "Too slow",
    note: "The tag did not respond in time; the video went on without the ad.",
  },
  unreachable: {
    name: "Not reachable",
    note: "The tag or one of its wrappers could not be fetched.",
  },
  invalid: {
    name: "Invalid response",
    note: "The response is no valid VAST, or has too many wrappers.",
  },
  empty: { name: "No ad", note: "The network had no ad to show." },
  unsupported: { name: "Not playable", note: "No media file of the ad plays in that browser." },
  media_timeout: { name: "Video too slow", note: "The video of the ad did not begin in time." },
  media_failed: {
    name: "Video failed",
    note: "The video of the ad could not be loaded or decoded.",
  },
  other: { name: "Unknown", note: "Reported without a cause." },
} as const satisfies Record<AdErrorCause, { name: string; note: string }>;

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

export const typeOptions = optionsOf(typeLabels);
export const placementOptions = optionsOf(placementLabels);
export const measureOptions = optionsOf(measures);
