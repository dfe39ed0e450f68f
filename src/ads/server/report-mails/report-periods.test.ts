import { expect, test } from "vitest";
import { lastPeriod } from "./report-periods.ts";

const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["day", "2026-11-23T00:05", "2026-11-22", "2026-11-22"],
  // Recent counts may not have been written yet.
  ["day", "2026-11-23T00:04", "2026-11-21", "2026-11-21"],
  ["week", "2026-11-23T00:05", "2026-11-16", "2026-11-22"],
  ["week", "2026-11-23T00:04", "2026-11-09", "2026-11-15"],
  ["week", "2026-11-29T23:00", "2026-11-16", "2026-11-22"],
  ["week", "2027-01-01T12:00", "2026-12-21", "2026-12-27"],
  ["month", "2026-12-31T12:00", "2026-11-01", "2026-11-30"],
  ["month", "2027-01-01T00:05", "2026-12-01", "2026-12-31"],
  ["month", "2028-03-01T12:00", "2028-02-01", "2028-02-29"],
] as const)("returns as the last %s at %s the period from %s to %s", (rhythm, now, from, to) => {
  const period = lastPeriod(rhythm, at(now));
  expect([period.from, period.to]).toEqual([from, to]);
  expect(period.endedAtMs).toBe(at(`${to}T23:59:59.999`) + 1);
});
