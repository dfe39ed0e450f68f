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

test.each([
  ["IMG_20261101_0912.MOV", "1 November 2026, 9:12"],
  ["VID_20261101_181233.mp4", "1 November 2026, 18:12"],
  ["PXL_20261101_091233123.mp4", "1 November 2026, 9:12"],
  ["20261101_000500.mp4", "1 November 2026, 0:05"],
  ["2026-11-01 09-12-33.mkv", "1 November 2026, 9:12"],
  ["Screen Recording 2026-11-01 at 09.12.33.mov", "1 November 2026, 9:12"],
  ["VID-20261101-WA0003.mp4", "1 November 2026"],
  ["IMG_20261301_0912.mp4", "IMG 20261301 0912"],
  ["IMG_0912.MOV", "IMG 0912"],
  ["2026-11-01 Harbour.mp4", "2026 11 01 Harbour"],
  ["20261101_2512.mp4", "20261101 2512"],
])("proposes the date of %s as its title", (name, title) => {
  expect(titleFromName(name)).toBe(title);
});
