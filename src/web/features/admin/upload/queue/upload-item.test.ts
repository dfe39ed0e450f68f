import { expect, test } from "vitest";
import { percentOf, titleFromName } from "./upload-item.ts";

test("a file's name proposes a title", () => {
  expect(titleFromName("my_first-clip.mp4")).toBe("my first clip");
  expect(titleFromName("Night.in.the.City.2026.webm")).toBe("Night in the City 2026");
  expect(titleFromName("noextension")).toBe("noextension");
});

test("percent is whole, and 100 only when all is there", () => {
  expect(percentOf({ sentBytes: 999, sizeBytes: 1000 })).toBe(99);
  expect(percentOf({ sentBytes: 1000, sizeBytes: 1000 })).toBe(100);
  expect(percentOf({ sentBytes: 0, sizeBytes: 0 })).toBe(0);
});
