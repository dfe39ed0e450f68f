import { createFormMerge } from "#web/features/admin/shared/editing/use-edited-form.ts";
import {
  adDevices,
  adPlacements,
  adTypes,
  type Ad,
  type AdDevice,
  type AdTrust,
} from "../../contract/ads.ts";
import { isListedOrigin } from "../../contract/ad-origins.ts";
import { originsOf } from "../../contract/html-sources.ts";
import { adInput, type AdInput } from "../../contract/ads.input.ts";
import {
  countOf,
  languagesOf,
  listOf,
  readBody,
  textOf,
  toInstant,
  toLocalInput,
  type Dates,
  type FormReading,
} from "./form-values.ts";

/** Values of the form. Most fields are text until it is sent. */
const emptyFields = {
  /** Empty for an ad without a campaign. */
  campaignId: "",
  title: "",
  type: "",
  placement: "",
  description: "",
  content: "",
  imageUrl: "",
  linkUrl: "",
  vastTagUrl: "",
  /** `datetime-local` value in the time zone of ads. */
  startDate: "",
  endDate: "",
  isActive: true,
  /** One per line. */
  origins: "",
  widthPx: "",
  heightPx: "",
  weight: "1",
  visitorDailyCap: "",
  dailyLimit: "",
  totalLimit: "",
  hasEvenPacing: true,
  isHouse: false,
  ignoresBreakRules: false,
  isBumper: false,
  targetCategories: "",
  targetLanguages: "",
};

export type AdForm = typeof emptyFields & {
  trust: AdTrust;
  targetDevices: readonly AdDevice[];
};

export const emptyAdForm: AdForm = { ...emptyFields, trust: "isolated", targetDevices: [] };

export const adLabels: Record<keyof AdForm, string> = {
  campaignId: "Campaign",
  title: "Title",
  type: "Type",
  placement: "Placement",
  description: "Description",
  content: "Content",
  imageUrl: "Image URL",
  linkUrl: "Link URL",
  vastTagUrl: "VAST/Video URL",
  startDate: "Start Date",
  endDate: "End Date",
  isActive: "Active",
  trust: "Trusted (runs in the page)",
  origins: "Origins for scripts and frames",
  widthPx: "Width",
  heightPx: "Height",
  weight: "Weight",
  visitorDailyCap: "Per visitor per day",
  dailyLimit: "Impressions per day",
  totalLimit: "Total impressions",
  hasEvenPacing: "Even pacing",
  isHouse: "House ad",
  ignoresBreakRules: "In every ad break",
  isBumper: "Bumper",
  targetCategories: "Categories",
  targetDevices: "Devices",
  targetLanguages: "Languages",
};
export const adMerge = createFormMerge<AdForm>(adLabels);

/**
 * Returns the origins that the preview allows: the valid ones in the form and those in the HTML.
 */
export const previewOrigins = (form: AdForm): string[] => [
  ...new Set([...listOf(form.origins).filter(isListedOrigin), ...originsOf(form.content)]),
];

/** @param zone time zone for the dates. */
export function adForm(ad: Ad, zone: string): AdForm {
  return {
    campaignId: ad.campaignId ?? "",
    title: ad.title,
    type: ad.type,
    placement: ad.placement,
    description: ad.description ?? "",
    content: ad.content ?? "",
    imageUrl: ad.imageUrl ?? "",
    linkUrl: ad.linkUrl ?? "",
    vastTagUrl: ad.vastTagUrl ?? "",
    startDate: toLocalInput(ad.startDate, zone),
    endDate: toLocalInput(ad.endDate, zone),
    isActive: ad.isActive,
    trust: ad.trust,
    origins: ad.origins.join("\n"),
    widthPx: textOf(ad.widthPx),
    heightPx: textOf(ad.heightPx),
    weight: String(ad.weight),
    visitorDailyCap: textOf(ad.visitorDailyCap),
    dailyLimit: textOf(ad.dailyLimit),
    totalLimit: textOf(ad.totalLimit),
    hasEvenPacing: ad.hasEvenPacing,
    isHouse: ad.isHouse,
    ignoresBreakRules: ad.ignoresBreakRules,
    isBumper: ad.isBumper,
    targetCategories: ad.targetCategories.join(", "),
    targetDevices: ad.targetDevices,
    targetLanguages: ad.targetLanguages.join(", "),
  };
}

/**
 * Returns the request body, validated with the server's schema.
 * @param edited ad that the form was filled from. Its dates are exact, the form's are to the minute.
 */
export function readAdForm(
  form: AdForm,
  zone: string,
  edited?: Dates | null,
): FormReading<AdInput> {
  const isVideo = form.type === "video";
  return readBody(adInput, {
    campaignId: form.campaignId === "" ? null : form.campaignId,
    title: form.title,
    type: adTypes.find((type) => type === form.type),
    placement: adPlacements.find((placement) => placement === form.placement),
    description: form.description,
    content: form.content,
    imageUrl: form.imageUrl,
    linkUrl: form.linkUrl,
    // Only videos have the field. A value typed before the type was changed isn't sent.
    vastTagUrl: isVideo ? form.vastTagUrl : "",
    startDate: toInstant(form.startDate, zone, edited?.startDate),
    endDate: toInstant(form.endDate, zone, edited?.endDate),
    isActive: form.isActive,
    trust: form.trust,
    origins: listOf(form.origins),
    widthPx: countOf(form.widthPx),
    heightPx: countOf(form.heightPx),
    weight: countOf(form.weight) ?? 1,
    visitorDailyCap: countOf(form.visitorDailyCap),
    dailyLimit: countOf(form.dailyLimit),
    totalLimit: countOf(form.totalLimit),
    hasEvenPacing: form.hasEvenPacing,
    isHouse: form.isHouse,
    ignoresBreakRules: form.ignoresBreakRules,
    isBumper: form.isBumper,
    targetCategories: listOf(form.targetCategories),
    targetDevices: adDevices.filter((device) => form.targetDevices.includes(device)),
    targetLanguages: languagesOf(form.targetLanguages),
  });
}

/** Returns whether the form has delivery rules. If so, their section starts expanded. */
export function hasDeliveryRules(form: AdForm): boolean {
  return (
    form.weight !== "1" ||
    form.isHouse ||
    form.ignoresBreakRules ||
    form.isBumper ||
    form.visitorDailyCap !== "" ||
    form.dailyLimit !== "" ||
    form.totalLimit !== "" ||
    form.targetCategories !== "" ||
    form.targetDevices.length > 0 ||
    form.targetLanguages !== ""
  );
}
