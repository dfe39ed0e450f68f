import type { SettingsInput, SiteSettings } from "#contract/site/settings.ts";
import { gigabyte } from "#contract/site/media-budget.ts";
import { createFormMerge } from "../shared/editing/use-edited-form.ts";
import { splitNames } from "../shared/label-names-field.tsx";
import { settingsMessages as messages } from "./messages.ts";

/**
 * Parses seconds such as "30, 90.5". Returns null for an empty text and undefined for an invalid
 * one.
 */
export function parseTimes(text: string): number[] | null | undefined {
  const parts = splitNames(text);
  if (parts.length === 0) return null;
  const times = parts.map(Number);
  return times.every((time) => Number.isFinite(time) && time > 0) ? times : undefined;
}

const linesOf = (typed: string) =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Text that is null on the server if it is empty. */
const text = (label: string) => ({
  label,
  show: (value: string | null) => value ?? "",
  send: (typed: string) => (typed.trim() === "" ? null : typed.trim()),
});

const number = (label: string) => ({ label, show: String, send: Number });

/** Value that the form doesn't convert. */
const unchanged = (label: string) => ({
  label,
  show: <Value>(value: Value) => value,
  send: <Value>(value: Value) => value,
});

type Setting = keyof SiteSettings & keyof SettingsInput;

/** Fields of the form: their labels, and how their values are shown and sent. */
const fields = {
  siteName: text(messages.siteName),
  siteDescription: text(messages.siteDescription),
  siteUrl: text(messages.siteUrl),
  language: unchanged(messages.language),
  logoUrl: text(messages.logoUrl),
  faviconUrl: text(messages.faviconUrl),
  accentColor: text(messages.accent),
  groundColor: text(messages.ground),
  cornerRadius: unchanged(messages.cornerRadius),
  font: unchanged(messages.font),
  sourceUrl: text(messages.sourceUrl),
  securityContact: text(messages.securityContact),
  filterCategories: {
    label: messages.filterCategories,
    show: (names: readonly string[]) => names.join(", "),
    send: splitNames,
  },
  browseListings: unchanged(messages.browseListings),
  pinnedLabels: {
    label: messages.pinnedLabels,
    show: (paths: readonly string[]) => paths.join("\n"),
    send: linesOf,
  },
  evenLoudness: unchanged(messages.evenLoudness),
  replayPeak: unchanged(messages.replayPeak),
  keepOriginals: unchanged(messages.keepOriginals),
  efficientRenditions: unchanged(messages.efficient),
  crawlSearch: unchanged(messages.crawlSearch),
  crawlAi: unchanged(messages.crawlAi),
  crawlOthers: unchanged(messages.crawlOthers),
  mediaOnOtherSites: unchanged(messages.mediaOnOtherSites),
  mediaWithoutOrigin: unchanged(messages.mediaWithoutOrigin),
  mediaBytesPerHour: {
    label: messages.mediaBytesPerHour,
    show: (bytes: number | null) => (bytes === null ? "" : String(bytes / gigabyte)),
    send: (typed: string) => (typed.trim() === "" ? null : Math.round(Number(typed) * gigabyte)),
  },
  podcast: unchanged(messages.podcast),
  podcastCategory: unchanged(messages.podcastCategory),
  podcastEmail: text(messages.podcastEmail),
  embedding: unchanged(messages.embedding),
  embedOrigins: {
    label: messages.embedOrigins,
    show: (origins: readonly string[]) => origins.join("\n"),
    send: (typed: string) => splitNames(typed.replaceAll("\n", ",")),
  },
  adsInEmbeds: unchanged(messages.adsInEmbeds),
  premiumAccess: unchanged(messages.premiumAccess),
  membersText: text(messages.membersText),
  membersUrl: text(messages.membersUrl),
  membersInFeed: unchanged(messages.membersInFeed),
  watchFolder: unchanged(messages.watchFolder),
  watchPublishes: unchanged(messages.watchPublishes),
  watchRestS: number(messages.watchRest),
  midrollTimes: {
    label: messages.midrolls,
    show: (times: readonly number[] | null) => (times ?? []).join(", "),
    send: (typed: string) => parseTimes(typed) ?? null,
  },
  trashDays: number(messages.trashDays),
  adOrigins: {
    label: messages.adOrigins,
    show: (origins: readonly string[]) => origins.join("\n"),
    send: (typed: string) => splitNames(typed.replaceAll("\n", ",")),
  },
  adsTxt: text(messages.sellerFile("/ads.txt")),
  appAdsTxt: text(messages.sellerFile("/app-ads.txt")),
  sellersJson: text(messages.sellerFile("/sellers.json")),
  prerollMinVideoS: number(messages.prerollMinVideo),
  breakGapS: number(messages.breakGap),
  podMaxS: number(messages.podMax),
  midrollEveryMin: number(messages.midrollEvery),
  timeZone: unchanged(messages.timeZone),
  blockedCountries: {
    label: messages.blockedCountries,
    show: (codes: readonly string[]) => codes.join(", "),
    send: (typed: string) => typed.split(/[\s,]+/).filter((code) => code !== ""),
  },
  commentWords: {
    label: messages.commentWords,
    show: (words: readonly string[]) => words.join("\n"),
    send: linesOf,
  },
  commentLinks: number(messages.commentLinks),
  terms: text(messages.terms),
  privacy: text(messages.privacy),
  contact: text(messages.contact),
} satisfies {
  [Name in Setting]?: {
    label: string;
    show: (value: SiteSettings[Name]) => unknown;
    send: (typed: never) => SettingsInput[Name];
  };
};

type FieldName = keyof typeof fields;
type SettingsField = (typeof fields)[FieldName];

/** Values of the fields, as typed. */
export type SettingsForm = {
  [Name in FieldName]: (typeof fields)[Name] extends ReturnType<typeof unchanged>
    ? SiteSettings[Name]
    : string;
};

const names = Object.keys(fields) as FieldName[];

const mapFields = (valueOf: (field: SettingsField, name: FieldName) => unknown) =>
  Object.fromEntries(names.map((name) => [name, valueOf(fields[name], name)]));

export const settingsMerge = createFormMerge<SettingsForm>(
  mapFields(({ label }) => label) as Record<FieldName, string>,
);

export const formOf = (settings: SiteSettings) =>
  mapFields(({ show }, name) => show(settings[name] as never)) as SettingsForm;

/** Returns the request body. Values are trimmed, and empty ones are null. */
export const inputOf = (form: SettingsForm) =>
  mapFields(({ send }, name) => send(form[name] as never)) as SettingsInput;
