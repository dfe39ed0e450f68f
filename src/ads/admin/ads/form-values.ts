import { fromWallMs, toWallMs } from "../../contract/site-zone.ts";

/** Converts an instant to a `datetime-local` value: wall-clock time in the zone, to the minute. */
export const toLocalInput = (iso: string | null, zone: string): string =>
  iso === null ? "" : new Date(toWallMs(zone, Date.parse(iso))).toISOString().slice(0, 16);

export function toInstant(local: string, zone: string): string | null {
  if (local === "") return null;
  const wallMs = Date.parse(`${local}Z`);
  return Number.isNaN(wallMs) ? local : new Date(fromWallMs(zone, wallMs)).toISOString();
}

export const textOf = (value: number | null) => (value === null ? "" : String(value));
export const numberOf = (value: string) => (value.trim() === "" ? null : Number(value));
export const listOf = (value: string) =>
  value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
