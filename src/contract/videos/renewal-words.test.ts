import { expect, test } from "vitest";
import { describeRenewals } from "./renewal-words.ts";

const plan = { videos: 12, ready: 12, underWay: 0, processorS: 12_600, extraBytes: 2.34e9 };

test("a plan says time and space", () => {
  expect(describeRenewals(plan)).toBe(
    "The renditions of 12 videos take about 3.5 hours of processor time, and at most 2.3 GB more space for a day.",
  );
  expect(describeRenewals({ ...plan, processorS: 59, extraBytes: 1 })).toContain(
    "videos take less than a minute of processor time, and at most 1 MB",
  );
});

test("a plan says what is left out", () => {
  expect(describeRenewals({ ...plan, ready: 9, underWay: 2 })).toContain(
    "3 videos are left out: not ready, or being processed already (2 under way).",
  );
  expect(describeRenewals({ ...plan, videos: 1, ready: 0 })).toBe(
    "Nothing can be made again now. 1 video is left out: not ready, or being processed already.",
  );
});
