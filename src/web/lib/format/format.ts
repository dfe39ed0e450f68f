/** Formats of numbers, times and dates, the same on the server and in every browser. */
import type { Language } from "../../../contract/languages.ts";
import { pageLanguage, type Plural } from "../language/page-language.ts";
import { formatTexts } from "./messages.ts";

/** With the digits 0 to 9 in every language: browsers differ in what they take for Arabic. */
const localeOf = (code: Language) => `${code}-u-nu-latn`;

const createFormatters = (code: Language) => ({
  whole: new Intl.NumberFormat(localeOf(code)),
  compact: new Intl.NumberFormat(localeOf(code), {
    notation: "compact",
    maximumFractionDigits: 1,
  }),
  // Always in UTC: a cached page cannot know the time zone of a visitor, and a date that changes
  // with hydration would be worse.
  date: new Intl.DateTimeFormat(localeOf(code), { dateStyle: "medium", timeZone: "UTC" }),
  age: new Intl.RelativeTimeFormat(localeOf(code)),
  plural: new Intl.PluralRules(code),
});

/** Creating one takes a hundred times as long as using it. */
const known = new Map<Language, ReturnType<typeof createFormatters>>();

function formatters() {
  const { code } = pageLanguage();
  const own = known.get(code) ?? createFormatters(code);
  known.set(code, own);
  return own;
}

/** 999 -> "999", 1000 -> "1.0K", 1,250,000 -> "1.3M"; in other languages as these abbreviate. */
export function formatCount(count: number): string {
  if (pageLanguage().code !== "en") return formatters().compact.format(count);
  if (count < 1000) return String(Math.round(count));
  // 999,950 and more would round to "1000.0K".
  if (count < 999_950) return `${(count / 1000).toFixed(1)}K`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** 1234567 -> "1,234,567". */
export const formatWhole = (count: number): string => formatters().whole.format(Math.round(count));

/** "1 view", "2.5K views" in the language of the page. */
export function counted(count: number, forms: Plural): string {
  const form = forms[formatters().plural.select(count)] ?? forms.other;
  return form.replace("#", formatCount(count));
}

/** "1 video", "1,234 videos". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Seconds as minutes:seconds, 5 -> "0:05", 3725 -> "62:05". */
export function formatDuration(durationS: number): string {
  const whole = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Seconds in words for screen readers: "1 minute, 5 seconds". */
export function spokenDuration(durationS: number): string {
  const whole = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  const say = (count: number, unit: string) =>
    new Intl.NumberFormat(localeOf(pageLanguage().code), {
      style: "unit",
      unit,
      unitDisplay: "long",
    }).format(count);
  const seconds = say(whole % 60, "second");
  if (whole < 60) return seconds;
  const minutes = say(Math.floor(whole / 60), "minute");
  return whole % 60 === 0 ? minutes : `${minutes}, ${seconds}`;
}

/** "Mar 4, 2026". */
export function formatDate(iso: string): string {
  const date = Date.parse(iso);
  return Number.isNaN(date) ? "" : formatters().date.format(date);
}

/** "+12.5%", "-3.0%", "0.0%". */
export function formatGrowth(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  if (text === "0.0") return "0.0%";
  return `${percent > 0 ? "+" : "-"}${text}%`;
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const ageUnits = [
  ["year", 24 * 365],
  ["month", 24 * 30],
  ["week", 24 * 7],
  ["day", 24],
  ["hour", 1],
] as const;

/** "3 days ago", in the largest whole unit; within the first hour "new". */
export function formatAge(iso: string, nowMs: number): string {
  const hours = (nowMs - Date.parse(iso)) / 3_600_000;
  const [unit, size] = ageUnits.find(([, unitHours]) => hours >= unitHours) ?? [];
  if (unit === undefined || size === undefined) return formatTexts.new;
  return formatters().age.format(-Math.floor(hours / size), unit);
}
