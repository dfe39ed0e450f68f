import { expect, test } from "vitest";
import { planFrameRate } from "./media-facts.ts";

const even = (fps: number) => ({
  ...{ averageFps: fps, medianFps: fps, steadyFps: fps, isVariable: false },
});

test("keeps the exact rate of a constant source", () => {
  expect(planFrameRate({ num: 30000, den: 1001 }, even(29.97))).toEqual({ num: 30000, den: 1001 });
  expect(planFrameRate({ num: 25, den: 1 }, null)).toEqual({ num: 25, den: 1 });
});

test("replaces a header's tick rate with the measured rate, rounded to the nearest standard rate", () => {
  expect(planFrameRate({ num: 1000, den: 1 }, even(29.96))).toEqual({ num: 30000, den: 1001 });
  expect(planFrameRate({ num: 1000, den: 1 }, even(17.5))).toEqual({ num: 17500, den: 1000 });
});

test("replaces the declared rate of a fragmented file that starts late", () => {
  expect(planFrameRate({ num: 24_735, den: 1000 }, even(25))).toEqual({ num: 25, den: 1 });
  // A few frames are missing.
  const measured = { ...even(30), averageFps: 29.7 };
  expect(planFrameRate({ num: 30, den: 1 }, measured)).toEqual({ num: 30, den: 1 });
});

test.each([
  [59.406, { num: 60, den: 1 }],
  [59.9, { num: 60, den: 1 }],
  [14.8, { num: 15_000, den: 1000 }],
])("keeps the rate of a constant source whose pauses lower the average to %d", (fps, rate) => {
  const measured = { ...even(rate.num / rate.den), averageFps: fps };
  expect(planFrameRate({ num: fps * 1000, den: 1000 }, measured)).toEqual(rate);
});

test("keeps the declared rate if times in milliseconds change the measured one a little", () => {
  const declared = { num: 60_000, den: 1001 };
  expect(planFrameRate(declared, even(59.92))).toEqual(declared);
});

test.each([
  [{ num: 120, den: 1 }, 60],
  [{ num: 120000, den: 1001 }, 59.94],
  [{ num: 144, den: 1 }, 48],
  [{ num: 90, den: 1 }, 45],
  [{ num: 60, den: 1 }, 60],
])("divides %j evenly to %d", (rate, fps) => {
  const planned = planFrameRate(rate, even(rate.num / rate.den));
  expect(planned.num / planned.den).toBeCloseTo(fps, 2);
});

test("returns the median rate, at most 30, for a variable source with pauses", () => {
  const recording = { averageFps: 7.2, medianFps: 58, steadyFps: 58, isVariable: true };
  expect(planFrameRate({ num: 3_628_800, den: 502_589 }, recording)).toEqual({ num: 30, den: 1 });
  const camera = { averageFps: 52, medianFps: 60, steadyFps: 60, isVariable: true };
  expect(planFrameRate({ num: 60, den: 1 }, camera)).toEqual({ num: 52000, den: 1000 });
});

test("returns the minimum rate for seeking for a slide show", () => {
  expect(planFrameRate({ num: 1, den: 10 }, even(0.1))).toEqual({ num: 5, den: 1 });
  expect(planFrameRate({ num: 25, den: 1 }, even(0))).toEqual({ num: 25, den: 1 });
});
