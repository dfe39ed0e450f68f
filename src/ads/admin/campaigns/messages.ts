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
  dayHint: (timeZone: string) =>
    `Total for all ads. The day starts at midnight, ${timeZone} time. Leave empty for no limit`,
  reportFailed: "Couldn't load the report.",
  loadFailed: "Couldn't load the campaigns.",
  deleteFailed: "Couldn't delete it. Delete its ads or campaigns first.",
  askDelete: (name: string) => `Delete ${name}?`,
  copied: "Copied",
  copyFailed: "Couldn't copy the link",
  noAds: "Running, but without ads",
  forecast: (percent: number) => `On track for ${percent}% of the goal`,
  forecastMethod: (expected: string, goal: string, elapsed: number) =>
    `Forecast: ${expected} of ${goal}, based on the results so far. ${elapsed}% of the scheduled hours have passed. Delivery stops at the goal.`,
  ads: "Ads and click-through rates",
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
  origin: "Origin",
  advertiser: "Advertiser",
  campaign: "Campaign",
  ad: "Ad",
};

export const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
