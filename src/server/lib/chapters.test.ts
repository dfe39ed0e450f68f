import { expect, test } from "vitest";
import { moveDescriptionTimes, moveTimes, readChapters, tidyChapters } from "./chapters.ts";

const read = (description: string, durationS = 4000) =>
  readChapters(description, durationS).map(({ startS, title }) => `${startS} ${title}`);

test("reads time codes at the start of lines as chapters", () => {
  const description =
    "About it.\n\n0:00 Intro\n- 01:30 - The way there\n(1:02:03) Home: again\n\nThanks!";
  expect(read(description)).toEqual(["0 Intro", "90 The way there", "3723 Home: again"]);
});

test.each([
  ["minutes above 99", "0:00 A\n104:30 B", ["0 A", "6270 B"]],
  ["marks of the writing direction", "\u200f0:00 A\n\u20671:30\u2069 B", ["0 A", "90 B"]],
  ["full-width colons", "0：00 A\n1：02：03：B", ["0 A", "3723 B"]],
  ["end times", "0:00 - 1:30 A\n1:30–1:02:03: B\n1:02:03 ~ 1:04:00 - C", ["0 A", "90 B", "3723 C"]],
  ["end times in brackets", "[0:00 - 1:30] A\n(1:30) - (2:00) B", ["0 A", "90 B"]],
  ["fractions", "00:00.000 A\n01:30,5 - 02:00.000 B", ["0 A", "90 B"]],
  ["frames", "00:00:00:00 A\n00:01:30;12 B\n01:02:03 04 C", ["0 A", "90 B", "3723 04 C"]],
  [
    "titles that start with a number",
    "0:00 - 10 A\n1:30: 24:7 B\n2:00.C",
    ["0 10 A", "90 24:7 B", "120 C"],
  ],
])("reads chapters with %s", (_, description, expected) => {
  expect(read(description, 9000)).toEqual(expected);
});

test.each([
  ["see 104:30", "see 1:44:31"],
  ["0：09、1：02：03", "0:10、1:02:04"],
  ["1:104:30", "1:104:30"],
  ["00:01:30:12 and 0:01:30;12", "1:31 and 1:31"],
  ["1:02:03:04:05", "1:02:03:04:05"],
])("moves the times in %j", (text, expected) => {
  expect(moveTimes(text, 9000, (timeS) => timeS + 1)).toBe(expected);
});

test("moves chapters with end times, fractions and frames", () => {
  const description = "[0:00 - 0:30] A\n00:00:30:12 B\n1:00.500 - 1:30 C";
  const move = (timeS: number) => timeS * 2;
  expect(moveDescriptionTimes(description, 100, { move, isGone: () => false })).toBe(
    "[0:00 - 1:00] A\n1:00 B\n2:00.500 - 3:00 C",
  );
});

test.each(["\r\n", "\r"])("reads chapters between %j line breaks", (lineBreak) => {
  expect(read(["0:00 Intro", "01:30 Home", ""].join(lineBreak))).toEqual(["0 Intro", "90 Home"]);
});

test.each([
  ["a time in a text", "We met at 0:00 and left at 5:00"],
  ["one chapter", "0:00 Intro"],
  ["no chapter at the beginning", "1:00 One\n2:00 Two"],
  ["times that go back", "0:00 One\n2:00 Two\n1:00 Three"],
  ["times behind the end", "0:00 One\n2:00:00 Two"],
  ["titles that are missing", "0:00\n1:00\n2:00 "],
  ["nothing", ""],
])("finds no chapters: %s", (_, description) => expect(read(description)).toEqual([]));

test("reads titles as one line of at most 120 characters, with markup as text", () => {
  const long = `0:00 <script>x</script>\u0007\n1:00 ${"a".repeat(500)}\ud800`;
  expect(read(long)[0]).toBe("0 <script>x</script>");
  expect(readChapters(long, 4000)[1]?.title).toHaveLength(120);
});

test("ignores a file's chapters if they start at the same time", () => {
  const chapters = (...starts: number[]) => starts.map((startS) => ({ startS, title: "x" }));
  expect(tidyChapters(chapters(0.02, 30), 60)).toHaveLength(2);
  expect(tidyChapters(chapters(0, 0), 60)).toEqual([]);
  expect(tidyChapters(chapters(5, 5), 60)).toEqual([]);
  expect(tidyChapters(chapters(70, 80), 60)).toEqual([]);
});

test("adds a chapter before a file's first one if that starts late", () => {
  const chapters = [
    { startS: 5, title: "One" },
    { startS: 30, title: "Two" },
  ];
  expect(tidyChapters(chapters, 60)).toEqual([{ startS: 0, title: "Start" }, ...chapters]);
});
