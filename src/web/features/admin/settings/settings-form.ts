import type { EfficientMode } from "#contract/videos/ladders.ts";
import type { Language } from "#contract/site/languages.ts";
import type { SettingsInput, SiteSettings } from "#contract/site/settings.ts";
import { createFormMerge } from "../shared/editing/merge-forms.ts";
import { splitNames } from "../shared/labels/label-names.ts";
import { settingsMessages as messages } from "./messages.ts";

/** Values of the fields, as typed. */
export interface SettingsForm {
  siteName: string;
  siteDescription: string;
  siteUrl: string;
  language: Language;
  logoUrl: string;
  faviconUrl: string;
  accentColor: string;
  sourceUrl: string;
  securityContact: string;
  filterCategories: string;
  browseListings: boolean;
  evenLoudness: boolean;
  keepOriginals: boolean;
  efficientRenditions: EfficientMode;
  midrollTimes: string;
  trashDays: string;
  adOrigins: string;
  adsTxt: string;
  appAdsTxt: string;
  sellersJson: string;
  prerollMinVideoS: string;
  breakGapS: string;
  podMaxS: string;
  midrollEveryMin: string;
  timeZone: string;
  terms: string;
  privacy: string;
  contact: string;
}

export type TextSetting = Exclude<
  keyof SettingsForm,
  "browseListings" | "evenLoudness" | "keepOriginals"
>;

/** Returns the props of a text field, including the error that the server reported for it. */
export type BindSetting = (name: TextSetting) => {
  value: string;
  error: string | null;
  onChange: (event: { target: { value: string } }) => void;
};

export function formOf(settings: SiteSettings): SettingsForm {
  return {
    siteName: settings.siteName ?? "",
    siteDescription: settings.siteDescription ?? "",
    siteUrl: settings.siteUrl ?? "",
    language: settings.language,
    logoUrl: settings.logoUrl ?? "",
    faviconUrl: settings.faviconUrl ?? "",
    accentColor: settings.accentColor ?? "",
    sourceUrl: settings.sourceUrl ?? "",
    securityContact: settings.securityContact ?? "",
    filterCategories: settings.filterCategories.join(", "),
    browseListings: settings.browseListings,
    evenLoudness: settings.evenLoudness,
    keepOriginals: settings.keepOriginals,
    efficientRenditions: settings.efficientRenditions,
    midrollTimes: (settings.midrollTimes ?? []).join(", "),
    trashDays: String(settings.trashDays),
    adOrigins: settings.adOrigins.join("\n"),
    adsTxt: settings.adsTxt ?? "",
    appAdsTxt: settings.appAdsTxt ?? "",
    sellersJson: settings.sellersJson ?? "",
    prerollMinVideoS: String(settings.prerollMinVideoS),
    breakGapS: String(settings.breakGapS),
    podMaxS: String(settings.podMaxS),
    midrollEveryMin: String(settings.midrollEveryMin),
    timeZone: settings.timeZone,
    terms: settings.terms ?? "",
    privacy: settings.privacy ?? "",
    contact: settings.contact ?? "",
  };
}

export const settingsMerge = createFormMerge<SettingsForm>({
  siteName: messages.siteName,
  siteDescription: messages.siteDescription,
  siteUrl: messages.siteUrl,
  language: messages.language,
  logoUrl: messages.logoUrl,
  faviconUrl: messages.faviconUrl,
  accentColor: messages.accent,
  sourceUrl: messages.sourceUrl,
  securityContact: messages.securityContact,
  filterCategories: messages.filterCategories,
  browseListings: messages.browseListings,
  evenLoudness: messages.evenLoudness,
  keepOriginals: messages.keepOriginals,
  efficientRenditions: messages.efficient,
  midrollTimes: messages.midrolls,
  trashDays: messages.trashDays,
  adOrigins: messages.adOrigins,
  adsTxt: messages.sellerFile("/ads.txt"),
  appAdsTxt: messages.sellerFile("/app-ads.txt"),
  sellersJson: messages.sellerFile("/sellers.json"),
  prerollMinVideoS: messages.prerollMinVideo,
  breakGapS: messages.breakGap,
  podMaxS: messages.podMax,
  midrollEveryMin: messages.midrollEvery,
  timeZone: messages.timeZone,
  terms: messages.terms,
  privacy: messages.privacy,
  contact: messages.contact,
});

/**
 * Parses seconds such as "30, 90.5". Returns null for an empty text and undefined for an invalid
 * one.
 */
export function parseTimes(text: string): number[] | null | undefined {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) return null;
  const times = parts.map(Number);
  return times.every((time) => Number.isFinite(time) && time > 0) ? times : undefined;
}

const trimmedOrNull = (text: string) => (text.trim() === "" ? null : text.trim());

/** Returns the request body. Values are trimmed, and empty ones are null. */
export function inputOf(form: SettingsForm): SettingsInput {
  return {
    siteName: trimmedOrNull(form.siteName),
    siteDescription: trimmedOrNull(form.siteDescription),
    siteUrl: trimmedOrNull(form.siteUrl),
    language: form.language,
    logoUrl: trimmedOrNull(form.logoUrl),
    faviconUrl: trimmedOrNull(form.faviconUrl),
    accentColor: trimmedOrNull(form.accentColor),
    sourceUrl: trimmedOrNull(form.sourceUrl),
    securityContact: trimmedOrNull(form.securityContact),
    filterCategories: splitNames(form.filterCategories),
    browseListings: form.browseListings,
    evenLoudness: form.evenLoudness,
    keepOriginals: form.keepOriginals,
    efficientRenditions: form.efficientRenditions,
    midrollTimes: parseTimes(form.midrollTimes) ?? null,
    trashDays: Number(form.trashDays),
    adsTxt: trimmedOrNull(form.adsTxt),
    appAdsTxt: trimmedOrNull(form.appAdsTxt),
    sellersJson: trimmedOrNull(form.sellersJson),
    prerollMinVideoS: Number(form.prerollMinVideoS),
    breakGapS: Number(form.breakGapS),
    podMaxS: Number(form.podMaxS),
    midrollEveryMin: Number(form.midrollEveryMin),
    timeZone: form.timeZone,
    adOrigins: splitNames(form.adOrigins.replaceAll("\n", ",")),
    terms: trimmedOrNull(form.terms),
    privacy: trimmedOrNull(form.privacy),
    contact: trimmedOrNull(form.contact),
  };
}
