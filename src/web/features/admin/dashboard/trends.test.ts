import { expect, test } from "vitest";
import type { AdminStatistics } from "#contract/lists/admin-statistics.ts";
import { changeOf, formatWatchTick, formatWatchTime, sumOf, watchTimeScale } from "./trends.tsx";

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

test.each([
  [42, ["0 s", "20 s", "40 s", "1 min"]],
  [200, ["0 s", "1 min", "2 min", "3 min", "4 min"]],
  [900, ["0 s", "5 min", "10 min", "15 min"]],
  [14_000, ["0 s", "1 h", "2 h", "3 h", "4 h"]],
])("labels watch times up to %i s exactly", (highestS, labels) => {
  expect(watchTimeScale(highestS).ticks.map(formatWatchTick)).toEqual(labels);
});
