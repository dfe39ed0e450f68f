// Wall-clock times are milliseconds as if the wall clock were UTC.

const dayMs = 86_400_000;
/** Clock changes happen only at multiples of this. */
const quarterMs = 900_000;

/** Returns the main name of a zone, or null for offsets and unknown zones. */
export function mainZoneName(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return /^[+-]/.test(timeZone) ? null : timeZone;
  } catch {
    return null;
  }
}

export const isTimeZone = (zone: string): boolean => mainZoneName(zone) !== null;

interface ZoneClock {
  format: Intl.DateTimeFormat;
  quarter: number;
  offsetMs: number;
}
const clocks = new Map<string, ZoneClock>();

function readOffset(format: Intl.DateTimeFormat, atMs: number): number {
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const match = /([+-])(\d\d):(\d\d)/.exec(name);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}

/** Returns how far the wall clock of a zone is ahead of UTC. */
function offsetMs(zone: string, atMs: number): number {
  if (zone === "UTC") return 0;
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const options = { timeZone: zone, timeZoneName: "longOffset" } as const;
    clock = { format: new Intl.DateTimeFormat("en", options), quarter: Number.NaN, offsetMs: 0 };
    clocks.set(zone, clock);
  }
  const quarter = Math.floor(atMs / quarterMs);
  if (clock.quarter !== quarter) {
    clock.offsetMs = readOffset(clock.format, atMs);
    clock.quarter = quarter;
  }
  return clock.offsetMs;
}

export const toWallMs = (zone: string, atMs: number): number => atMs + offsetMs(zone, atMs);

/**
 * Returns the instant of a wall-clock time. A time that a clock change skips is moved by that
 * change. A time that occurs twice means its first occurrence.
 */
export function fromWallMs(zone: string, wallMs: number): number {
  const candidates = [wallMs - dayMs, wallMs + dayMs].map((at) => wallMs - offsetMs(zone, at));
  const exact = candidates.filter((at) => toWallMs(zone, at) === wallMs);
  return Math.min(...(exact.length > 0 ? exact : candidates.slice(0, 1)));
}

/** Returns the day in the zone, `2026-05-04`. */
export const dayIn = (zone: string, atMs: number): string =>
  new Date(toWallMs(zone, atMs)).toISOString().slice(0, 10);

/** Returns the end of the day in the zone. */
export const endOfDayMs = (zone: string, atMs: number): number =>
  fromWallMs(zone, (Math.floor(toWallMs(zone, atMs) / dayMs) + 1) * dayMs);

/** Adds days to a date. A negative `count` subtracts them. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
