import { expect, test } from "vitest";
import { findForbiddenWords } from "./words.ts";

test.each([
  ["const film = 1;", "film"],
  ["startFilm", "tFilm"],
  ["// made anew", "anew"],
  ["answerCache.clear()", "answerC"],
  ["const mostBytes = 3;", "mostBy"],
  ["a journey of a visitor", "journey"],
  ["see design.md", "design.md"],
])("reports %s", (text, word) => {
  expect(findForbiddenWords("src/x.ts", `ok\n${text}`)).toEqual([
    expect.stringContaining(`src/x.ts:2: "${word}": write `),
  ]);
});

test.each(["const video = 1;", "a filmstrip", "foremost", "understanding", "outstanding work"])(
  "allows %s",
  (text) => {
    expect(findForbiddenWords("src/x.ts", text)).toEqual([]);
  },
);

test("allows the words in the glossary and licences", () => {
  expect(findForbiddenWords("docs/glossary.md", "film")).toEqual([]);
  expect(findForbiddenWords("LICENSE", "film")).toEqual([]);
});
