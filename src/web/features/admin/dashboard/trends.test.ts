import { expect, test } from "vitest";
import type { AdminStatistics } from "#contract/lists/admin-statistics.ts";
import { changeOf, formatWatchTime, sumOf } from "./trends.tsx";

const day = { watchTimeS: 0, likes: 0, adImpressions: 0, adClicks: 0 };
const statistics: AdminStatistics = {
  days: [
    { ...day, date: "2026-03-03", plays: 10 },
    { ...day, date: "2026-03-04", plays: 20 },
    { ...day, date: "2026-03-05", plays: 2 },
  ],
  before: { ...day, plays: 20 },
  topVideos: [],
};

test("computes the sum of a metric, and its change in percent until yesterday", () => {
  expect(sumOf(statistics, "plays")).toBe(32);
  expect(changeOf(statistics, "plays")).toBe(50);
  expect(changeOf(statistics, "likes")).toBeNull();
});

test("formats watch time in words", () => {
  expect(formatWatchTime(42)).toBe("42 s");
  expect(formatWatchTime(90)).toBe("1 min 30 s");
  expect(formatWatchTime(5400)).toBe("1 h 30 min");
  expect(formatWatchTime(7200)).toBe("2 h");
});
