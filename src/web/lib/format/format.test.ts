import { afterEach, describe, expect, test } from "vitest";
import type { Language } from "#contract/site/languages.ts";
import { textsOf } from "#texts/languages.ts";
import { followLanguage, inLanguage } from "../language/page-language.ts";
import {
  counted,
  formatAge,
  formatCount,
  formatDate,
  formatDuration,
  formatWhole,
  spokenDuration,
} from "./format.ts";
import { plural } from "./english-counts.ts";
import { formatGrowth } from "./format-growth.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";

const formatTexts = inLanguage("format");

describe("counts", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1.0K"],
    [1234, "1.2K"],
    [1500, "1.5K"],
    [15_400, "15.4K"],
    [999_949, "999.9K"],
    [999_950, "1.0M"],
    [999_999, "1.0M"],
    [1_000_000, "1.0M"],
    [12_345_678, "12.3M"],
  ])("formats %d as %s", (count, text) => expect(formatCount(count)).toBe(text));

  test("groups whole numbers", () => {
    expect(formatWhole(0)).toBe("0");
    expect(formatWhole(999)).toBe("999");
    expect(formatWhole(1_234_567)).toBe("1,234,567");
  });

  test("uses the singular for 1", () => {
    expect(plural(1, "view", "views")).toBe("1 view");
    expect(plural(0, "view", "views")).toBe("0 views");
    expect(plural(2500, "view", "views")).toBe("2.5K views");
  });
});

describe("durations", () => {
  test.each([
    [0, "0:00"],
    [5, "0:05"],
    [59.9, "0:59"],
    [60, "1:00"],
    [754, "12:34"],
    [3725, "62:05"],
    [-1, "0:00"],
    [Number.NaN, "0:00"],
    [Number.POSITIVE_INFINITY, "0:00"],
  ])("formats %d s as %s", (durationS, text) => expect(formatDuration(durationS)).toBe(text));

  test.each([
    [0, "0 seconds"],
    [1, "1 second"],
    [60, "1 minute"],
    [125, "2 minutes, 5 seconds"],
  ])("reads %d s as %s", (durationS, text) => expect(spokenDuration(durationS)).toBe(text));
});

describe("file sizes", () => {
  test.each([
    [0, "0 Bytes"],
    [512, "512 Bytes"],
    [1024, "1.00 KB"],
    [1536, "1.50 KB"],
    [5 * 1024 * 1024, "5.00 MB"],
    [524_288_000, "500.00 MB"],
    [3 * 1024 ** 3, "3.00 GB"],
    [5000 * 1024 ** 3, "5000.00 GB"],
  ])("formats %d as %s", (sizeBytes, text) => expect(formatFileSize(sizeBytes)).toBe(text));
});

describe("dates and growth", () => {
  test("formats dates independently of the time zone", () => {
    expect(formatDate("2026-03-04T23:59:59.000Z")).toBe("Mar 4, 2026");
    expect(formatDate("2026-01-01T00:00:00.000Z")).toBe("Jan 1, 2026");
    expect(formatDate("nonsense")).toBe("");
  });

  test.each([
    [12.54, "+12.5%"],
    [-3, "-3.0%"],
    [0, "0.0%"],
    [-0.04, "0.0%"],
  ])("formats %d as %s", (percent, text) => expect(formatGrowth(percent)).toBe(text));
});

test.each([
  [0.5, "new"],
  [1, "1 hour ago"],
  [23.9, "23 hours ago"],
  [24, "1 day ago"],
  [24 * 6.9, "6 days ago"],
  [24 * 13, "1 week ago"],
  [24 * 59, "1 month ago"],
  [24 * 800, "2 years ago"],
  [-1, "new"],
])("formats the age of a video of %s hours as %s", (hours, text) => {
  const nowMs = Date.parse("2026-03-04T05:06:07.000Z");
  expect(formatAge(new Date(nowMs - hours * 3_600_000).toISOString(), nowMs)).toBe(text);
});

describe("in other languages", () => {
  const speak = (code: Language) =>
    followLanguage(() => ({ code, prefix: `/${code}`, texts: textsOf(code) }));
  afterEach(() => followLanguage(() => undefined));
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f\u200e\u200f]/g, " ");

  test.each([
    ["de", 1, "1 Aufruf"],
    ["de", 12_345, "12.345 Aufrufe"],
    ["pl", 1, "1 wyświetlenie"],
    ["pl", 2, "2 wyświetlenia"],
    ["pl", 5, "5 wyświetleń"],
    ["pl", 22, "22 wyświetlenia"],
    // Written in full, 1,234 would be followed by "wyświetlenia".
    ["pl", 1234, "1,2 tys. wyświetleń"],
    ["pl", 1_200_000, "1,2 mln wyświetleń"],
    ["ar", 2, "مشاهدتان"],
    ["ar", 3, "3 مشاهدات"],
    ["ar", 11, "11 مشاهدة"],
    // Written in full, 1,103 would be followed by "مشاهدات".
    ["ar", 1103, "1.1 ألف مشاهدة"],
    ["fr", 1_200_000, "1,2 M de vues"],
  ] as const)("formats, in %s, %d as %s", (code, count, text) => {
    speak(code);
    expect(plain(counted(count, formatTexts.views))).toBe(text);
  });

  test("formats times, growth and units in the language", () => {
    speak("de");
    expect(spokenDuration(65)).toBe("1 Minute, 5 Sekunden");
    expect(plain(formatGrowth(12.54))).toBe("+12,5 %");
    speak("fr");
    expect(plain(spokenDuration(65))).toBe("1 minute et 5 secondes");
    expect(formatDate("2026-03-04T23:59:59.000Z")).toBe("4 mars 2026");
  });
});
