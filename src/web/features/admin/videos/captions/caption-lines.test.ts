import { expect, test } from "vitest";
import { readTime, timeText } from "../../shared/time-text.ts";
import { editLine, linesToSave, placeAt, readLine, shiftEdited } from "./caption-lines.ts";

const line = (startMs: number, endMs: number) =>
  editLine({ startMs, endMs, text: "Hello", place: "line:0" });

test.each([0, 999, 61_500, 3_723_004])("formats and parses %i ms without changing it", (timeMs) => {
  expect(readTime(timeText(timeMs))).toBe(timeMs);
});

test.each([
  ["1:02:03.45", 3_723_450],
  ["2:03,5", 123_500],
  ["104:30", 6_270_000],
  ["1:104:30", null],
  [" 3.5 ", 3500],
  ["90", 90_000],
  ["", null],
  ["1:2:3:4", null],
  ["-1", null],
  ["soon", null],
])("reads %j as %s", (text, expected) => expect(readTime(text)).toBe(expected));

test("preserves the place of a line, and rejects a line that ends before it starts", () => {
  expect(readLine(line(1000, 2000))).toEqual({
    startMs: 1000,
    endMs: 2000,
    text: "Hello",
    place: "line:0",
  });
  expect(readLine({ ...line(1000, 2000), end: "0:00.500" })).toBeNull();
});

test("restores all lines when they are shifted before zero and back", () => {
  const lines = [line(500, 2000), line(3000, 4000), line(6000, 7000)];
  expect(shiftEdited(shiftEdited(lines, -5000), 5000)).toEqual(lines);
});

test("saves shifted lines from zero on, without those that end before it", () => {
  const shifted = shiftEdited([line(500, 2000), line(3000, 6000), line(7000, 8000)], -5000);
  expect(linesToSave(shifted.map(readLine))).toMatchObject([
    { startMs: 0, endMs: 1000 },
    { startMs: 2000, endMs: 3000 },
  ]);
});

test("returns the last line that has started at a given time", () => {
  const lines = [line(1000, 2000), line(3000, 4000)];
  expect([0, 2500, 3000].map((timeMs) => placeAt(lines, timeMs))).toEqual([0, 0, 1]);
});
