import { expect, test } from "vitest";
import { describeReprocessing } from "./reprocessing-words.ts";

const plan = { videos: 12, ready: 12, underWay: 0, processorS: 12_600, extraBytes: 2.34e9 };

test("describes the time and space of a plan", () => {
  expect(describeReprocessing(plan)).toBe(
    "Reprocessing 12 videos takes about 3.5 hours of processor time and up to 2.18 GB of extra space for a day.",
  );
  expect(describeReprocessing({ ...plan, processorS: 59, extraBytes: 1 })).toContain(
    "videos takes less than a minute of processor time and up to 1 Bytes",
  );
});

test("describes the parts that a plan leaves out", () => {
  expect(describeReprocessing({ ...plan, ready: 9, underWay: 2 })).toContain(
    "3 videos were skipped: not ready, or already being processed (2 in progress).",
  );
  expect(describeReprocessing({ ...plan, videos: 1, ready: 0 })).toBe(
    "There is nothing to reprocess right now. 1 video was skipped: not ready, or already being processed.",
  );
});
