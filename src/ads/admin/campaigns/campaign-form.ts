import { createFormMerge } from "#web/features/admin/shared/editing/use-edited-form.ts";
import { adDevices, type AdDevice } from "../../contract/ads.ts";
import {
  adRotations,
  campaignGoals,
  campaignPriorities,
  priceModels,
  type Campaign,
} from "../../contract/campaigns.ts";
import { campaignInput, type CampaignInput } from "../../contract/campaigns.input.ts";
import {
  amountOf,
  amountText,
  countOf,
  languagesOf,
  listOf,
  readBody,
  textOf,
  toInstant,
  toLocalInput,
  type Dates,
  type FormReading,
} from "../ads/form-values.ts";

/** Values of the form, as text until it is sent. */
const emptyFields = {
  advertiserId: "",
  name: "",
  isActive: true,
  startDate: "",
  endDate: "",
  priority: "standard",
  goal: "none",
  goalAmount: "",
  priceModel: "none",
  price: "",
  currency: "EUR",
  budget: "",
  hasEvenPacing: true,
  hourlyCap: "",
  dailyCap: "",
  lifetimeCap: "",
  visitorDailyCap: "",
  rotation: "even",
  separation: "",
  targetCategories: "",
  targetTags: "",
  targetLanguages: "",
  targetCountries: "",
  targetHours: "",
  targetReferrals: "",
};

export type CampaignForm = typeof emptyFields & { targetDevices: readonly AdDevice[] };

export const emptyCampaignForm: CampaignForm = { ...emptyFields, targetDevices: [] };

/** @param zone time zone for the dates. */
export const campaignForm = (campaign: Campaign, zone: string): CampaignForm => ({
  advertiserId: campaign.advertiserId,
  name: campaign.name,
  isActive: campaign.isActive,
  startDate: toLocalInput(campaign.startDate, zone),
  endDate: toLocalInput(campaign.endDate, zone),
  priority: campaign.priority,
  goal: campaign.goal,
  goalAmount: textOf(campaign.goalAmount),
  priceModel: campaign.priceModel,
  price: amountText(campaign.price),
  currency: campaign.currency,
  budget: amountText(campaign.budget),
  hasEvenPacing: campaign.hasEvenPacing,
  hourlyCap: textOf(campaign.hourlyCap),
  dailyCap: textOf(campaign.dailyCap),
  lifetimeCap: textOf(campaign.lifetimeCap),
  visitorDailyCap: textOf(campaign.visitorDailyCap),
  rotation: campaign.rotation,
  separation: campaign.separation ?? "",
  targetCategories: campaign.targetCategories.join(", "),
  targetTags: campaign.targetTags.join(", "),
  targetDevices: campaign.targetDevices,
  targetLanguages: campaign.targetLanguages.join(", "),
  targetCountries: campaign.targetCountries.join(", "),
  targetHours: campaign.targetHours.join("\n"),
  targetReferrals: campaign.targetReferrals.join(", "),
});

export const campaignLabels: Record<keyof CampaignForm, string> = {
  advertiserId: "Advertiser",
  name: "Name",
  isActive: "Active",
  startDate: "Start",
  endDate: "End",
  priority: "Priority",
  goal: "Goal",
  goalAmount: "Target number",
  priceModel: "Price",
  price: "Amount",
  currency: "Currency",
  budget: "Budget",
  hasEvenPacing: "Even pacing",
  hourlyCap: "Impressions per hour",
  dailyCap: "Impressions per day",
  lifetimeCap: "Total impressions",
  visitorDailyCap: "Per visitor per day",
  rotation: "Ad rotation",
  separation: "Competitors",
  targetCategories: "Categories",
  targetTags: "Tags",
  targetDevices: "Devices",
  targetLanguages: "Languages",
  targetCountries: "Countries",
  targetHours: "Hours of the week",
  targetReferrals: "Referral links",
};
export const campaignMerge = createFormMerge<CampaignForm>(campaignLabels);

const ruleNames = [
  ...(["hourlyCap", "dailyCap", "lifetimeCap", "visitorDailyCap", "separation"] as const),
  ...([
    "targetCategories",
    "targetTags",
    "targetDevices",
    "targetLanguages",
    "targetCountries",
  ] as const),
  ...(["targetHours", "targetReferrals"] as const),
];

/** Returns whether to expand the caps and targets, because one has a value or a problem. */
export const needsRules = (form: CampaignForm, problemOf: (field: string) => string | null) =>
  ruleNames.some((name) => form[name].length > 0 || problemOf(name) !== null);

/**
 * Returns the request body, validated with the server's schema.
 * @param edited campaign that the form was filled from. Its dates are exact.
 */
export function readCampaignForm(
  form: CampaignForm,
  zone: string,
  edited?: Dates | null,
): FormReading<CampaignInput> {
  const hasPrice = form.priceModel !== "none";
  const hasBudget = form.priceModel === "cpm" || form.priceModel === "cpc";
  return readBody(campaignInput, {
    advertiserId: form.advertiserId,
    name: form.name,
    isActive: form.isActive,
    startDate: toInstant(form.startDate, zone, edited?.startDate),
    endDate: toInstant(form.endDate, zone, edited?.endDate),
    priority: campaignPriorities.find((each) => each === form.priority),
    goal: campaignGoals.find((each) => each === form.goal),
    goalAmount: form.goal === "none" ? null : countOf(form.goalAmount),
    priceModel: priceModels.find((each) => each === form.priceModel),
    // Hidden fields aren't sent.
    price: hasPrice ? amountOf(form.price) : null,
    currency: form.currency,
    budget: hasBudget ? amountOf(form.budget) : null,
    hasEvenPacing: form.hasEvenPacing,
    hourlyCap: countOf(form.hourlyCap),
    dailyCap: countOf(form.dailyCap),
    lifetimeCap: countOf(form.lifetimeCap),
    visitorDailyCap: countOf(form.visitorDailyCap),
    rotation: adRotations.find((each) => each === form.rotation),
    separation: form.separation,
    targetCategories: listOf(form.targetCategories),
    targetTags: listOf(form.targetTags),
    targetDevices: adDevices.filter((device) => form.targetDevices.includes(device)),
    targetLanguages: languagesOf(form.targetLanguages),
    targetCountries: listOf(form.targetCountries),
    targetHours: listOf(form.targetHours),
    targetReferrals: listOf(form.targetReferrals),
  });
}
