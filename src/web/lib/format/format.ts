/** Formats numbers, times and dates in the same way on the server and in every browser. */
import type { Language } from "#contract/site/languages.ts";
import type { Plural } from "#texts/message.ts";
import { inLanguage, pageLanguage } from "../language/page-language.ts";

const formatTexts = inLanguage("format");

/** Uses the digits 0 to 9 in every language, because browsers disagree about Arabic digits. */
const localeOf = (code: Language) => `${code}-u-nu-latn`;

/**
 * Returns a getter that creates a formatter once per language, because creating one takes 100 times
 * as long as using it.
 */
export function inPageLanguage<T>(create: (locale: string) => T): () => T {
  const known = new Map<Language, T>();
  return () => {
    const { code } = pageLanguage();
    const own = known.get(code) ?? create(localeOf(code));
    known.set(code, own);
    return own;
  };
}

const whole = inPageLanguage((locale) => new Intl.NumberFormat(locale));
const compact = inPageLanguage(
  (locale) => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
);
// Always in UTC. A cached page can't know a visitor's time zone, and a date that changes with
// hydration would be worse.
const date = inPageLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
);
const age = inPageLanguage((locale) => new Intl.RelativeTimeFormat(locale));
const plurals = inPageLanguage((locale) => new Intl.PluralRules(locale));
const list = inPageLanguage((locale) => new Intl.ListFormat(locale, { type: "unit" }));
const units = new Map<string, () => Intl.NumberFormat>();

/** From this count on, thousands would round to 1000K, so millions are used. */
const million = 999_950;

/**
 * Formats 999 -> "999", 1000 -> "1.0K", 1,250,000 -> "1.3M". Other languages use their own
 * abbreviations.
 */
export function formatCount(count: number): string {
  if (pageLanguage().code !== "en") return compact().format(count);
  if (count < 1000) return String(Math.round(count));
  if (count < million) return `${(count / 1000).toFixed(1)}K`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Formats 1234567 -> "1,234,567". */
export const formatWhole = (count: number): string => whole().format(Math.round(count));

/**
 * Returns "1 view" or "2.5K views" in the language of the page. An abbreviated number takes the
 * plural form of a round thousand or million: in Polish, 1,234 is "1,2 tys. wyświetleń" but "1234
 * wyświetlenia" in full.
 */
export function counted(count: number, forms: Plural): string {
  const shown = count < 1000 ? count : count < million ? 1000 : 1_000_000;
  const form = forms[plurals().select(shown)] ?? forms.other;
  return form.replace("#", formatCount(count));
}

/** Formats seconds as minutes:seconds, 5 -> "0:05", 3725 -> "62:05". */
export function formatDuration(durationS: number): string {
  const total = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
}

/** Formats "5 seconds", "1 month". */
export function formatUnit(
  count: number,
  unit: "second" | "minute" | "hour" | "day" | "month" | "year",
): string {
  const own =
    units.get(unit) ??
    inPageLanguage(
      (locale) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }),
    );
  units.set(unit, own);
  return own().format(count);
}

/** Formats "1 minute, 5 seconds". */
export const formatList = (parts: readonly string[]): string => list().format(parts);

/** Formats seconds in words for screen readers: "1 minute, 5 seconds". */
export function spokenDuration(durationS: number): string {
  const total = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  const rest = formatUnit(total % 60, "second");
  if (total < 60) return rest;
  const minutes = formatUnit(Math.floor(total / 60), "minute");
  return total % 60 === 0 ? minutes : formatList([minutes, rest]);
}

/** Formats "Mar 4, 2026". */
export function formatDate(iso: string): string {
  const timeMs = Date.parse(iso);
  return Number.isNaN(timeMs) ? "" : date().format(timeMs);
}

const ageUnits = [
  ["year", 24 * 365],
  ["month", 24 * 30],
  ["week", 24 * 7],
  ["day", 24],
  ["hour", 1],
] as const;

/** Formats "3 days ago" in the largest whole unit, or "new" within the first hour. */
export function formatAge(iso: string, nowMs: number): string {
  const hours = (nowMs - Date.parse(iso)) / 3_600_000;
  const [unit, size] = ageUnits.find(([, unitHours]) => hours >= unitHours) ?? [];
  if (unit === undefined || size === undefined) return formatTexts.new;
  return age().format(-Math.floor(hours / size), unit);
}
