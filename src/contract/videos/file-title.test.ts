import { expect, test } from "vitest";
import { titleFromName } from "./file-title.ts";

test("suggests a title from a file name", () => {
  expect(titleFromName("my_first-clip.mp4")).toBe("my first clip");
  expect(titleFromName("Night.in.the.City.2026.webm")).toBe("Night in the City 2026");
  expect(titleFromName("noextension")).toBe("noextension");
});

test("cuts a title to well-formed Unicode", () => {
  expect(titleFromName(`${"x".repeat(199)}😀.mp4`).isWellFormed()).toBe(true);
});
