import { expect, test } from "vitest";
import { nameText } from "./lists/names.input.ts";
import { cleanName, hasVisibleText, shorten, withoutTricks } from "./text.ts";

const name = nameText(20, "Name is required", "too long");

test.each([
  ["a zero-width space", "\u200b"],
  ["a direction mark", "\u200e"],
  ["a Hangul filler", "\u3164"],
  ["an empty Braille pattern", "\u2800"],
  ["a lone combining mark", "\u0301"],
  ["a direction override", "\u202e"],
  ["control characters", "\u0007\u0000"],
  ["spaces", " \u00a0\u3000"],
])("refuses %s as a name", (_, text) => {
  expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    "Name is required",
  ]);
});

test.each([
  ["two\nlines\tand  spaces ", "two lines and spaces"],
  ["bell\u0007 and \u202ereversed\u202c", "bell and reversed"],
  ["zero\u200bwidth\u00ad", "zerowidth"],
  ["Cafe\u0301", "Café"],
  ["नमस्\u200dते", "नमस्\u200dते"],
  ["👩\u200d👧", "👩\u200d👧"],
  ["cut \ud83c", "cut \ufffd"],
])("cleans the name %j", (given, clean) => {
  expect(cleanName(given)).toBe(clean);
});

test("keeps eight combining marks on a letter, and line breaks in longer texts", () => {
  expect(withoutTricks(`a${"\u0301".repeat(400)}\nb`)).toBe(`a${"\u0301".repeat(8)}\nb`);
  expect(hasVisibleText("a\u0301")).toBe(true);
});

test.each([
  ["a short text", 20, "a short text"],
  ["some words that are longer", 12, "some words…"],
  ["averyveryverylongword", 8, "averyve…"],
  ["👩\u200d👧👩\u200d👧👩\u200d👧👩\u200d👧", 3, "👩\u200d👧👩\u200d👧…"],
  ["🎬🎬🎬🎬", 4, "🎬🎬🎬🎬"],
  ["猫が好きです。犬も好きです。", 9, "猫が好きです。…"],
  ["नमस्ते दुनिया", 20, "नमस्ते दुनिया"],
  ["two\nlines", 20, "two lines"],
])("shortens %j to %i characters", (text, max, short) => {
  expect(shorten(text, max)).toBe(short);
  expect(shorten(text, max).isWellFormed()).toBe(true);
});
