// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { maxStopped, readStopped } from "../../contract/stopped-ads.ts";
import { stopAd } from "./about-ad-dialog.ts";

const idOf = (number: number) => `0199c0de-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const kept = () =>
  readStopped(/stopped_spots=([^;]*)/.exec(document.cookie)?.[1] ?? "").map((key) =>
    Number.parseInt(key, 16),
  );

test("retains the most recently hidden ads without duplicates", () => {
  for (let number = 1; number <= maxStopped + 2; number += 1) stopAd(idOf(number));
  stopAd(idOf(5));
  expect(kept()).toHaveLength(maxStopped);
  expect(kept().slice(-2)).toEqual([maxStopped + 2, 5]);
  expect(kept()).not.toContain(2);
});
