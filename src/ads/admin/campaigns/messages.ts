import type {
  AdRotation,
  CampaignGoal,
  CampaignPriority,
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
  empty: "No campaigns yet",
  emptyHint:
    "A campaign gives its ads common dates, goals, prices and targets. Add an advertiser first.",
  emptyAdvertisers: "No advertisers yet",
  emptyAdvertisersHint: "Add the first one to give it campaigns.",
  reportFailed: "The report could not be loaded.",
  loadFailed: "The campaigns could not be loaded.",
  advertisersFailed: "The advertisers could not be loaded.",
  saveFailed: "The campaign was not saved.",
  advertiserSaveFailed: "The advertiser was not saved.",
  deleteFailed: "It was not deleted. A campaign must have no ads, an advertiser no campaigns.",
  askDelete: (name: string) => `Delete ${name}?`,
  askUnshare: (name: string) => `End the secret address of ${name}? It shows nothing more.`,
  askReshare: (name: string) => `Make a new secret address for ${name}? The one before ends.`,
  shareFailed: "The secret address was not made.",
  unshareFailed: "The secret address was not ended.",
  shareTitle: "Secret address",
  shareHint: (name: string) =>
    `This address shows the figures of ${name}, and nothing else. You see it once.`,
  copied: "Copied",
  copyFailed: "It could not be copied",
  forecast: (percent: number) => `At this pace ${percent}% of the goal`,
  forecastMethod: (expected: string, goal: string, elapsed: number) =>
    `${expected} of ${goal} at the end: what is reached so far, divided by the ${elapsed}% of its time that are over. Only hours in which it runs count. Delivery stops at the goal.`,
  noForecast: "A forecast needs a goal or a budget, both dates, and a beginning in the past.",
  ads: "Ads and their click rates",
  adsHint:
    "The interval holds the true click rate with 95% certainty (Wilson). Where intervals overlap, the difference may be chance.",
  noAds: "No ads yet. Choose this campaign in an ad.",
  figures: "Figures",
  emptyReport: "There are no figures for these days.",
  requestsNote: "Requests and fill belong to a placement, not to a campaign.",
  sharedTitle: "Figures of your campaigns",
  sharedGone: "This link is no longer valid. Ask the operator of the site for a new one.",
} as const;

export const priorityLabels: Record<CampaignPriority, string> = {
  sponsorship: "Sponsorship",
  standard: "Standard",
  house: "House",
};
export const goalLabels: Record<CampaignGoal, string> = {
  none: "No goal",
  impressions: "Impressions",
  viewable: "Viewable impressions",
  clicks: "Clicks",
  share: "Share, in percent",
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
