import { expect, test } from "vitest";
import {
  addSample,
  describeRemaining,
  remainingS,
  type ProgressSample,
} from "./use-remaining-time.ts";

const watch = (...steps: [atS: number, progress: number][]): number | null => {
  const samples = steps.reduce<ProgressSample[]>(
    (all, [atS, progress]) => addSample(all, { atMs: atS * 1000, progress }),
    [],
  );
  const leftS = remainingS(samples);
  return leftS === null ? null : Math.round(leftS);
};

test("computes the remaining time from the observed speed", () => {
  expect(watch([0, 0.3], [10, 0.4])).toBe(60);
  expect(watch([0, 0.3], [10, 0.4], [20, 0.6])).toBe(27);
  // Remaining time until the video is playable.
  expect(watch([0, 0.05], [10, 0.1])).toBe(10);
});

test("returns null in the first seconds and before a step has started", () => {
  expect(watch([0, 0.3])).toBeNull();
  expect(watch([0, 0.3], [2, 0.4])).toBeNull();
  expect(watch([0, 0], [10, 0.2])).toBeNull();
  expect(watch([0, 0.96], [10, 0.97])).toBeNull();
});

test("ignores time in the queue, earlier steps and old samples", () => {
  expect(watch([0, 0.2], [100, 0.3], [110, 0.4])).toBe(60);
  expect(watch([0, 0.1], [5, 0.14], [10, 0.3], [20, 0.4])).toBe(60);
  expect(watch([0, 0.21], [600, 0.3], [610, 0.4])).toBe(60);
  // A new attempt starts from the beginning.
  expect(watch([0, 0.9], [10, 0.3], [20, 0.4])).toBe(60);
});

test("formats the remaining time in words", () => {
  expect([10, 60, 200, 5300, 5500].map(describeRemaining)).toEqual([
    "less than a minute",
    "about 1 minute",
    "about 3 minutes",
    "about 88 minutes",
    "about 2 hours",
  ]);
});
