import {
  adDevices,
  adPlacements,
  adTypes,
  type Ad,
  type AdDevice,
  type AdTrust,
} from "../../../../contract/ads.ts";
import { isListedOrigin } from "../../../../contract/ad-origins.ts";
import { originsOf } from "../../../../contract/html-sources.ts";
import { adInput, type AdInput } from "../../../../contract/ads.input.ts";

/** The values of the form. Most fields are text until the form is sent. */
export interface AdForm {
  title: string;
  type: string;
  placement: string;
  description: string;
  content: string;
  imageUrl: string;
  linkUrl: string;
  vastTagUrl: string;
  /** The value of `datetime-local`, in the local time of the user. */
  startDate: string;
  endDate: string;
  isActive: boolean;
  trust: AdTrust;
  /** One on each line. */
  origins: string;
  widthPx: string;
  heightPx: string;
  weight: string;
  visitorDailyCap: string;
  dailyLimit: string;
  totalLimit: string;
  hasEvenPacing: boolean;
  isHouse: boolean;
  ignoresBreakRules: boolean;
  targetCategories: string;
  targetDevices: readonly AdDevice[];
  targetLanguages: string;
}

export const emptyAdForm: AdForm = {
  title: "",
  type: "",
  placement: "",
  description: "",
  content: "",
  imageUrl: "",
  linkUrl: "",
  vastTagUrl: "",
  startDate: "",
  endDate: "",
  isActive: true,
  trust: "isolated",
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
  targetCategories: "",
  targetDevices: [],
  targetLanguages: "",
};

/** An instant as the value of `datetime-local`: local time, to the minute. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return "";
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

function toInstant(local: string): string | null {
  if (local === "") return null;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

const textOf = (value: number | null) => (value === null ? "" : String(value));
const numberOf = (value: string) => (value.trim() === "" ? null : Number(value));
const listOf = (value: string) =>
  value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** What the policy of the preview lists: the typed origins that are valid, and those of the HTML. */
export const previewOrigins = (form: Pick<AdForm, "origins" | "content">): string[] => [
  ...new Set([...listOf(form.origins).filter(isListedOrigin), ...originsOf(form.content)]),
];

export function adForm(ad: Ad): AdForm {
  return {
    title: ad.title,
    type: ad.type,
    placement: ad.placement,
    description: ad.description ?? "",
    content: ad.content ?? "",
    imageUrl: ad.imageUrl ?? "",
    linkUrl: ad.linkUrl ?? "",
    vastTagUrl: ad.vastTagUrl ?? "",
    startDate: toLocalInput(ad.startDate),
    endDate: toLocalInput(ad.endDate),
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
    targetCategories: ad.targetCategories.join(", "),
    targetDevices: ad.targetDevices,
    targetLanguages: ad.targetLanguages.join(", "),
  };
}

export type FormReading =
  | { ok: true; input: AdInput }
  | { ok: false; problems: ReadonlyMap<string, string> };

/** The request body, validated with the same schema as on the server. */
export function readAdForm(form: AdForm): FormReading {
  const isVideo = form.type === "video";
  const read = adInput.safeParse({
    title: form.title,
    type: adTypes.find((type) => type === form.type),
    placement: adPlacements.find((placement) => placement === form.placement),
    description: form.description,
    content: form.content,
    imageUrl: form.imageUrl,
    linkUrl: form.linkUrl,
    // Only videos have the field. A value from before a change of type is not sent.
    vastTagUrl: isVideo ? form.vastTagUrl : "",
    startDate: toInstant(form.startDate),
    endDate: toInstant(form.endDate),
    isActive: form.isActive,
    trust: form.trust,
    origins: listOf(form.origins),
    widthPx: numberOf(form.widthPx),
    heightPx: numberOf(form.heightPx),
    weight: numberOf(form.weight) ?? 1,
    visitorDailyCap: numberOf(form.visitorDailyCap),
    dailyLimit: numberOf(form.dailyLimit),
    totalLimit: numberOf(form.totalLimit),
    hasEvenPacing: form.hasEvenPacing,
    isHouse: form.isHouse,
    ignoresBreakRules: form.ignoresBreakRules,
    targetCategories: listOf(form.targetCategories),
    targetDevices: adDevices.filter((device) => form.targetDevices.includes(device)),
    targetLanguages: listOf(form.targetLanguages),
  });
  if (read.success) return { ok: true, input: read.data };
  const problems = new Map<string, string>();
  for (const issue of read.error.issues) {
    const field = String(issue.path[0] ?? "");
    if (!problems.has(field)) problems.set(field, issue.message);
  }
  return { ok: false, problems };
}

/** Whether the form has delivery rules: then their part is expanded. */
export function hasDeliveryRules(form: AdForm): boolean {
  return (
    form.weight !== "1" ||
    form.isHouse ||
    form.ignoresBreakRules ||
    form.visitorDailyCap !== "" ||
    form.dailyLimit !== "" ||
    form.totalLimit !== "" ||
    form.targetCategories !== "" ||
    form.targetDevices.length > 0 ||
    form.targetLanguages !== ""
  );
}
