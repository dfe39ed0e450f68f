import { expect, test } from "vitest";
import { percentOf } from "./upload-item.ts";

test("rounds percentages down and reaches 100 only at the end", () => {
  expect(percentOf({ sentBytes: 999, sizeBytes: 1000 })).toBe(99);
  expect(percentOf({ sentBytes: 1000, sizeBytes: 1000 })).toBe(100);
  expect(percentOf({ sentBytes: 0, sizeBytes: 0 })).toBe(0);
});
