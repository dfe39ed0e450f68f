import { expect, test } from "vitest";
import { matches } from "./palette-entries.ts";

test("matches each typed word at the start of a word of the label", () => {
  expect(matches("Upload video", "up")).toBe(true);
  expect(matches("Upload video", "vid up")).toBe(true);
  expect(matches("Upload video", "load")).toBe(false);
});
