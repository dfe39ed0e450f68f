import type {
  AdRotation,
  CampaignGoal,
  CampaignPriority,
  CampaignState,
  PriceModel,
  ReportGroup,
} from "../../contract/campaigns.ts";

export const campaignMessages = {
  title: "Campaigns",
  advertisers: "Advertisers",
  report: "Report",
  total: (count: number) => `${count.toLocaleString()} ${count === 1 ? "campaign" : "campaigns"}`,
  totalAdvertisers: (count: number) =>
    `${count.toLocaleString()} ${count === 1 ? "advertiser" : "advertisers"}`,
  add: "Add Campaign",
  edit: "Edit Campaign",
  addAdvertiser: "Add Advertiser",
  editAdvertiser: "Edit Advertiser",
  search: "Search campaigns",
  searchHint: "Search campaigns...",
  state: "Status",
  allStates: "All statuses",
  noMatch: "No campaigns found",
  noMatchHint: "Try another search or status.",
  inZone: (timeZone: string) => `${timeZone} time`,
  dayHint: (timeZone: string) =>
    `Total for all ads. The day starts at midnight, ${timeZone} time. Leave empty for no limit`,
  hoursHint: (timeZone: string) =>
    `One time window per line, such as mon-fri 08-18, in ${timeZone} time`,
  copy: (name: string) => `Copy ${name}`,
  copyTitle: "Copy Campaign",
  copyName: (name: string) => `Copy of ${name}`,
  addAd: "Add an ad",
  allAds: "View all ads",
  viewableNote:
    "Viewable (MRC): at least 50% of the ad's pixels on screen for 1 continuous second, or 2 seconds for video. Covered, transparent and hidden ads don't count. Coverage is checked at nine points.",
  empty: "No campaigns yet",
  emptyHint:
    "A campaign groups ads of one advertiser. They share its dates, goal, price and targets.",
  emptyExample:
    "Acme books 100,000 impressions in October at 5 EUR per thousand. Its three banners share that goal.",
  startWithAdvertiser: "Start with an advertiser",
  emptyAdvertisers: "No advertisers yet",
  emptyAdvertisersHint: "Add an advertiser, then create campaigns for it.",
  reportFailed: "Couldn't load the report.",
  loadFailed: "Couldn't load the campaigns.",
  advertisersFailed: "Couldn't load the advertisers.",
  saveFailed: "Couldn't save the campaign.",
  advertiserSaveFailed: "Couldn't save the advertiser.",
  deleteFailed: "Couldn't delete it. Delete its ads or campaigns first.",
  askDelete: (name: string) => `Delete ${name}?`,
  askUnshare: (name: string) => `Disable the secret link for ${name}? It will stop working.`,
  askReshare: (name: string) =>
    `Create a new secret link for ${name}? The current link will stop working.`,
  shareFailed: "Couldn't create the link.",
  unshareFailed: "Couldn't disable the link.",
  shareTitle: "Secret link",
  shareHint: (name: string) =>
    `Anyone with this link can see the stats for ${name}, and nothing else. It's shown only once.`,
  copied: "Copied",
  copyFailed: "Couldn't copy the link",
  forecast: (percent: number) => `On track for ${percent}% of the goal`,
  forecastMethod: (expected: string, goal: string, elapsed: number) =>
    `Forecast: ${expected} of ${goal}, based on the results so far. ${elapsed}% of the scheduled hours have passed. Delivery stops at the goal.`,
  noForecast:
    "To see a forecast, set a goal or a budget and both dates. The campaign must have started.",
  ads: "Ads and click-through rates",
  adsHint:
    "95% confidence intervals (Wilson). If two intervals overlap, the difference may be due to chance.",
  noAds: "No ads yet.",
  figures: "Stats",
  reportDates: (from: string, to: string, timeZone: string) => `${from} to ${to}, ${timeZone} time`,
  customDates: "Custom dates",
  firstDay: "First day",
  lastDay: "Last day",
  emptyReport: "No data for these dates.",
  requestsNote: "Requests and fill rate are counted per placement, not per campaign.",
  sharedTitle: "Your campaign stats",
  sharedGone: "This link is no longer valid. Ask the site's operator for a new one.",
} as const;

export const priorityLabels: Record<CampaignPriority, string> = {
  sponsorship: "Sponsorship",
  standard: "Standard",
  house: "House",
};
export const stateLabels: Record<CampaignState, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  running: "Running",
  paused: "Paused",
  completed: "Completed",
};
export const goalLabels: Record<CampaignGoal, string> = {
  none: "No goal",
  impressions: "Impressions",
  viewable: "Viewable impressions",
  clicks: "Clicks",
  share: "Share (%)",
};
export const priceLabels: Record<PriceModel, string> = {
  none: "No price",
  cpm: "Per 1,000 impressions (CPM)",
  cpc: "Per click (CPC)",
  flat: "Flat, for the whole campaign",
};
export const rotationLabels: Record<AdRotation, string> = {
  even: "Evenly",
  weight: "By weight",
};
export const groupLabels: Record<ReportGroup, string> = {
  day: "Day",
  placement: "Placement",
  advertiser: "Advertiser",
  campaign: "Campaign",
  ad: "Ad",
};

export const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
