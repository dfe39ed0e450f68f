import { afterEach, expect, test } from "vitest";
import { watchedBinsPattern } from "#contract/videos/watched-bins.ts";
import { formatBins } from "./watched-bins.ts";

const zeros = (count: number) => "0".repeat(count);
const settings = ["globalPrivacyControl", "doNotTrack"];

afterEach(() => {
  for (const name of settings) Reflect.deleteProperty(navigator, name);
});

test.each([
  [[], zeros(50)],
  // Parts 0 to 3 have passed their middle.
  [[0, 4.2], `55${zeros(48)}`],
  [[0, 2, 2, 4.2], `55${zeros(48)}`],
  [[0, 4.2, 2, 4, 2, 4, 2, 4], `5f${zeros(48)}`],
  [[98, 100.4], `${zeros(49)}5`],
  // Plays of long videos that end within the part where they began.
  [[0, 0.1], `1${zeros(49)}`],
  [[3.7, 3.9], `04${zeros(48)}`],
  [[0, 0.1, 50, 50.2], `1${zeros(49)}`],
])("formats %j of 100 seconds", (ranges, digits) => {
  expect(formatBins(ranges, 100)).toBe(digits);
  expect(digits).toMatch(watchedBinsPattern);
});

test("counts nothing of an unknown duration", () => {
  expect(formatBins([0, 4], 0)).toBe(zeros(50));
});

test.each([
  ["globalPrivacyControl", true],
  ["doNotTrack", "1"],
])("is silent if the browser has %s", (name, value) => {
  Object.defineProperty(navigator, name, { value, configurable: true });
  expect(formatBins([0, 4], 100)).toBeUndefined();
});
