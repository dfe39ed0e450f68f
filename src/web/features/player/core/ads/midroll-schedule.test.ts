import { expect, test } from "vitest";
import { createMidrollSchedule, fallbackMidrollTimes } from "./midroll-schedule.ts";

test.each([
  [60, []],
  [61, [30.5]],
  [120, [60]],
  [121, [30.25, 60.5]],
  [180, [45, 90]],
  [200, [50, 100, 150]],
])("computes mid-roll times for a video of %d s", (durationS, times) => {
  expect(fallbackMidrollTimes(durationS)).toEqual(times);
});

test("plays a break once, within a second before or after its time", () => {
  const schedule = createMidrollSchedule([30]);
  expect(schedule.due(28.9)).toBeNull();
  expect(schedule.due(29)).toBe(30);
  expect(schedule.due(31)).toBe(30);
  expect(schedule.due(31.1)).toBeNull();
  schedule.markDone(30);
  expect(schedule.due(30)).toBeNull();
});

test("returns the time of the coming break and ignores invalid times", () => {
  const schedule = createMidrollSchedule([Number.NaN, 0, -5, 40]);
  expect(schedule.due(0)).toBeNull();
  expect(schedule.coming(31, 8)).toBeNull();
  expect(schedule.coming(33, 8)).toBe(40);
  expect(schedule.coming(40, 8)).toBeNull();
});
