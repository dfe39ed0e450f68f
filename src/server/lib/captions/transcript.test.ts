import { expect, test } from "vitest";
import type { CaptionLine } from "#contract/videos/captions.ts";
import { toParagraphs } from "./transcript.ts";

const line = (startS: number, endS: number, text: string): CaptionLine => ({
  startMs: startS * 1000,
  endMs: endS * 1000,
  text,
  place: "",
});
const texts = (lines: CaptionLine[]) =>
  toParagraphs(lines).map((paragraph) => paragraph.lines.map(({ text }) => text));

test("joins lines without a long pause, with the time of each", () => {
  const lines = [line(1.24, 3, "One\nline"), line(3.5, 5, "and another."), line(7, 8, "Later.")];
  expect(toParagraphs(lines)).toEqual([
    {
      lines: [
        { startS: 1.2, text: "One line" },
        { startS: 3.5, text: "and another." },
      ],
    },
    { lines: [{ startS: 7, text: "Later." }] },
  ]);
});

test.each([
  ["a dash", "- Where?"],
  ["a dash of typography", "– Where?"],
  ["arrows", ">> Where?"],
  ["a name", "MARIA: Where?"],
  ["a name in brackets", "[Maria] Where?"],
  ["a Japanese name", "マリア：どこ？"],
])("starts a paragraph where another speaker begins, with %s", (_, text) => {
  expect(texts([line(1, 2, "Here."), line(2, 3, text), line(3, 4, "and so on")])).toEqual([
    ["Here."],
    [text, "and so on"],
  ]);
});

test.each(["-5 degrees", "at 12:30 sharp", "he said: no", "well-known"])(
  "doesn't take %j for another speaker",
  (text) => {
    expect(texts([line(1, 2, "It is"), line(2, 3, text)])).toHaveLength(1);
  },
);

test("separates two speakers of one line", () => {
  expect(texts([line(1, 2, "- Coffee?\n- Yes,\nplease.")])).toEqual([
    ["- Coffee?"],
    ["- Yes, please."],
  ]);
});

test("drops markup, and shows what only looks like it", () => {
  expect(texts([line(1, 2, "<i>a</i> < b & <b>c</b> <3")])).toEqual([["a < b & c <3"]]);
});

test.each([
  "<ruby>漢字<rt>かんじ</rt></ruby>です",
  "<ruby>漢<rt>かん<rt>カン</ruby><ruby>字<rt>じ</ruby>です",
  "<ruby>漢字<rt>かんじ</rt></ruby><rt>です</rt>",
])("leaves out readings in %j", (text) => {
  expect(texts([line(1, 2, text)])).toEqual([["漢字です"]]);
});

test("leaves out rows that live captions repeat", () => {
  expect(texts([line(1, 2, "we begin"), line(2, 3, "we begin"), line(3, 4, "now")])).toEqual([
    ["we begin", "now"],
  ]);
});

test("measures a pause from the line that ends last", () => {
  expect(texts([line(1, 20, "[music]"), line(2, 3, "a"), line(19, 20, "b")])).toHaveLength(1);
});

test("ends long paragraphs, after a sentence if there is one", () => {
  const spoken = (end: string) =>
    Array.from({ length: 40 }, (_, at) => line(at, at + 1, `${at} ${"word ".repeat(10)}${end}`));
  const lengths = (end: string) => texts(spoken(end)).map((each) => each.join("").length);
  expect(Math.max(...lengths("stop."))).toBeLessThan(500);
  expect(Math.max(...lengths("on"))).toBeLessThanOrEqual(1000);
  expect(lengths("on")).toHaveLength(3);
});

test("returns nothing for no lines", () => {
  expect(toParagraphs([])).toEqual([]);
});
