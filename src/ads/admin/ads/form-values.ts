import type { ZodType } from "zod";
import { languageCode, languageName } from "#web/features/admin/shared/language-names.ts";
import { skippedTimeNote } from "#web/features/admin/shared/moments.ts";
import { fromWallMs, toWallMs } from "../../contract/site-zone.ts";

export interface Dates {
  startDate: string | null;
  endDate: string | null;
}

/** Converts an instant to a `datetime-local` value: wall-clock time in the zone, to the minute. */
export const toLocalInput = (iso: string | null, zone: string): string =>
  iso === null ? "" : new Date(toWallMs(zone, Date.parse(iso))).toISOString().slice(0, 16);

/** @param stored instant before the edit. Returned unless its text has changed. */
export function toInstant(local: string, zone: string, stored: string | null = null) {
  if (local === toLocalInput(stored, zone)) return stored;
  if (local === "") return null;
  const wallMs = Date.parse(`${local}Z`);
  return Number.isNaN(wallMs) ? local : new Date(fromWallMs(zone, wallMs)).toISOString();
}

/** Returns the hint of a field with this `datetime-local` value: its zone, or that the time doesn't exist. */
export function dateHint(local: string, zone: string): string {
  const isTime = !Number.isNaN(Date.parse(`${local}Z`));
  const note = isTime ? skippedTimeNote(local, toLocalInput(toInstant(local, zone), zone)) : null;
  return note ?? `${zone} time`;
}

export const textOf = (value: number | null) => (value === null ? "" : String(value));

/** Parses a count. Returns NaN unless all of it is digits: separators mean different things. */
export function countOf(value: string): number | null {
  const text = value.trim();
  if (text === "") return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * Parses an amount with a decimal point or comma. Returns NaN for anything else, and for an amount
 * such as "1.000", whose point may separate thousands.
 */
export function amountOf(value: string): number | null {
  const text = value.trim();
  if (text === "") return null;
  const isClear = /^\d+([.,]\d+)?$/.test(text) && !/^[1-9]\d*[.,]\d{3}$/.test(text);
  return isClear ? Number(text.replace(",", ".")) : Number.NaN;
}

/** Formats an amount for `amountOf`: "1.125" becomes "1.1250". */
export const amountText = (value: number | null) =>
  textOf(value).replace(/^[1-9]\d*\.\d{3}$/, "$&0");

export const listOf = (value: string) =>
  value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Returns the language codes in a field with names or codes. */
export const languagesOf = (value: string): string[] => listOf(value).map(languageCode);

/** Returns the names of a field's languages, or examples for an empty field. */
export function languageHint(value: string): string {
  const names = languagesOf(value).map((code) => languageName(code) ?? `${code}?`);
  return names.length === 0 ? "Names or codes, such as German or pt-br" : names.join(", ");
}

export type FormReading<T> =
  | { ok: true; input: T }
  | { ok: false; problems: ReadonlyMap<string, string> };

/** Validates a request body with the server's schema. @returns the first problem of each field. */
export function readBody<T>(schema: ZodType<T>, body: unknown): FormReading<T> {
  const read = schema.safeParse(body);
  if (read.success) return { ok: true, input: read.data };
  const problems = new Map<string, string>();
  for (const issue of read.error.issues) {
    const field = String(issue.path[0] ?? "");
    if (!problems.has(field)) problems.set(field, issue.message);
  }
  return { ok: false, problems };
}
