import type { ReportRhythm } from "../../contract/report-mails.ts";
import { dayOf } from "../rules/day-of.ts";

/** Period in days of UTC, both included. */
export interface Period {
  from: string;
  to: string;
  /** End of the period. */
  endedAtMs: number;
}

const dayMs = 86_400_000;
/** Time after which all counts are written. */
const settledAfterMs = 5 * 60_000;

/** Returns the last complete day, week from Monday, or month. */
export function lastPeriod(rhythm: ReportRhythm, nowMs: number): Period {
  const settledMs = nowMs - settledAfterMs;
  const midnightMs = settledMs - (settledMs % dayMs);
  const date = new Date(midnightMs);
  if (rhythm === "day") return periodOf(midnightMs - dayMs, midnightMs);
  if (rhythm === "week") {
    const mondayMs = midnightMs - ((date.getUTCDay() + 6) % 7) * dayMs;
    return periodOf(mondayMs - 7 * dayMs, mondayMs);
  }
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return periodOf(Date.UTC(year, month - 1), Date.UTC(year, month));
}

const periodOf = (startMs: number, endedAtMs: number): Period => ({
  from: dayOf(new Date(startMs)),
  to: dayOf(new Date(endedAtMs - 1)),
  endedAtMs,
});
