import { expect, test } from "vitest";
import { joinPassages, toPassages } from "./captions.feature.ts";

const line = (startS: number, text: string) => ({
  startMs: startS * 1000,
  endMs: startS * 1000 + 900,
  text,
  place: "",
});

test("joins lines spoken within some seconds into one passage that starts with the first line", () => {
  const lines = [line(20.4, "third"), line(1, "<i>first</i>"), line(9, "second & more")];
  expect(toPassages(lines)).toEqual([
    { startS: 1, text: "first second & more" },
    { startS: 20, text: "third" },
  ]);
});

test("joins words without their readings", () => {
  expect(toPassages([line(1, "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>")])).toEqual([
    { startS: 1, text: "漢字" },
  ]);
});

test("limits a video's searchable text", () => {
  const long = Array.from({ length: 3000 }, (_, at) => line(at * 20, "word ".repeat(400)));
  const passages = toPassages(long);
  expect(passages).toHaveLength(1000);
  expect(passages[0]?.text.length).toBe(1000);
  expect(joinPassages([passages, passages])).toHaveLength(1000);
});
