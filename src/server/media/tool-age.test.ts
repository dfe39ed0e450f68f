import { expect, test } from "vitest";
import { isOutdatedTool, listOldTools, readToolVersion } from "./tool-age.ts";

const now = new Date("2026-11-23T00:00:00Z");

test.each([
  ["7.0 Copyright (c) 2000-2024 the FFmpeg developers", true],
  ["N-66595-gc2b38619c0-static Copyright (c) 2000-2023 the FFmpeg developers", true],
  ["8.0 Copyright (c) 2000-2025 the FFmpeg developers", false],
  ["N-121000-gabc Copyright (c) 2000-2026 the FFmpeg developers", false],
  ["n7.1", true],
  ["9.0", false],
  ["N-118000-gabc", false],
  ["5.1.9-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers", false],
])("decides for %s whether it is certainly older than a year: %s", (text, expected) => {
  const tool = readToolVersion("ffprobe", `ffprobe version ${text}`);
  expect(tool === null ? null : isOutdatedTool(tool, now)).toBe(expected);
});

test("lists old tools with their versions and ignores other programs", () => {
  const current = { version: "8.1", year: 2026, libavutil: 60 };
  expect(listOldTools({ ffmpeg: current, ffprobe: current }, now)).toBeNull();
  expect(
    listOldTools({ ffmpeg: current, ffprobe: { version: "6.1", year: 2023, libavutil: 58 } }, now),
  ).toBe("ffprobe 6.1");
  expect(readToolVersion("ffmpeg", "ffprobe version 7.1")).toBeNull();
});
