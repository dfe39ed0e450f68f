import { toWallMs } from "../../contract/site-zone.ts";

/** Hours of the week in a time zone, 0 for Monday from 00:00 to 01:00. */
export interface WeekHours {
  isActive(atMs: number): boolean;
  /** Returns the active time between two moments. */
  activeMs(fromMs: number, toMs: number): number;
}

const hourMs = 3_600_000;
const hoursOfWeek = 168;
/** 1970-01-01 was a Thursday. */
const sinceMonday = (ms: number) => ms + 72 * hourMs;

/** An hour that the clocks repeat or skip counts once. */
export function createWeekHours(hours: readonly number[], zone: string): WeekHours {
  const listed = new Set(hours);
  const active = Array.from({ length: hoursOfWeek }, (_, hour) => listed.has(hour));
  /** Number of active hours before each hour. */
  const before = [0];
  for (const [at, isActive] of active.entries()) before.push((before[at] ?? 0) + Number(isActive));
  const perWeek = before[hoursOfWeek] ?? 0;

  /** Returns the active time since a Monday long ago. */
  function activeUntil(ms: number): number {
    const hour = Math.floor(sinceMonday(ms) / hourMs);
    const weeks = Math.floor(hour / hoursOfWeek);
    const ofWeek = hour - weeks * hoursOfWeek;
    const begun = active[ofWeek] === true ? sinceMonday(ms) - hour * hourMs : 0;
    return (weeks * perWeek + (before[ofWeek] ?? 0)) * hourMs + begun;
  }

  if (perWeek === hoursOfWeek) {
    return { isActive: () => true, activeMs: (fromMs, toMs) => toMs - fromMs };
  }
  return {
    isActive(ms) {
      return active[Math.floor(sinceMonday(toWallMs(zone, ms)) / hourMs) % hoursOfWeek] === true;
    },
    activeMs: (fromMs, toMs) =>
      activeUntil(toWallMs(zone, toMs)) - activeUntil(toWallMs(zone, fromMs)),
  };
}
