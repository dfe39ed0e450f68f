import { expect, test } from "vitest";
import { isoDuration } from "./video-head.ts";

test.each([
  [0, "PT0S"],
  [5.4, "PT5S"],
  [60, "PT1M"],
  [3725, "PT1H2M5S"],
  [7200, "PT2H"],
])("formats %d s as %s in ISO 8601", (durationS, text) =>
  expect(isoDuration(durationS)).toBe(text),
);
