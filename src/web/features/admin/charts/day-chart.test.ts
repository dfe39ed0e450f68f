import { expect, test } from "vitest";
import { niceScale } from "./day-chart.tsx";

test("returns round steps up to at least the highest value", () => {
  expect(niceScale(100)).toEqual({ max: 100, ticks: [0, 25, 50, 75, 100] });
  expect(niceScale(37)).toEqual({ max: 40, ticks: [0, 10, 20, 30, 40] });
  expect(niceScale(3)).toEqual({ max: 3, ticks: [0, 1, 2, 3] });
  expect(niceScale(0).ticks).toEqual([0, 1, 2, 3, 4]);
  expect(niceScale(123_456).max).toBeGreaterThanOrEqual(123_456);
});

test("returns whole steps for whole numbers", () => {
  const counts = Array.from({ length: 100 }, (_, index) => index + 1);
  const isWhole = (count: number) => niceScale(count).ticks.every(Number.isInteger);
  expect(counts.filter((count) => !isWhole(count))).toEqual([]);
});
