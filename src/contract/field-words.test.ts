import { expect, it } from "vitest";
import { fieldTitle, fieldWords, problemText } from "./field-words.ts";

it.each([
  ["siteName", "site name"],
  ["isPublished", "published"],
  ["break_gap_s", "time between ad breaks"],
  ["widthPx", "width"],
  ["linkUrl", "link URL"],
  ["targetIds", "target IDs"],
  ["video", "video"],
])("names the field %s in words", (field, words) => {
  expect(fieldWords(field)).toBe(words);
});

it("starts labels with a capital letter", () => {
  expect(fieldTitle("has_even_pacing")).toBe("Even pacing");
});

it.each([
  [["isPublished"], "must be true or false", "Published must be true or false"],
  [["title"], "at most 200 characters", "Title: at most 200 characters"],
  [["tags", "1"], "is required", "Tags 2 is required"],
  [["tags"], "Names can't contain commas", "Tags: Names can't contain commas"],
  [[], "is not valid", "is not valid"],
])("describes a problem at %j", (path, problem, text) => {
  expect(problemText(path, problem)).toBe(text);
});
