import { afterEach, expect, test } from "vitest";
import { followLanguage } from "./page-language.ts";
import { translated } from "./translated.ts";

afterEach(() => followLanguage(() => undefined));

test("uses texts in the language of the page and preserves other fields", () => {
  const video = { title: "A", description: "B", translations: { de: { title: "C" } } };
  expect(translated(video)).toBe(video);
  followLanguage(() => ({ code: "de", prefix: "/de", texts: null }));
  expect(translated(video)).toEqual({ ...video, title: "C" });
  expect(translated({ title: "A" })).toEqual({ title: "A" });
  expect(translated([1])).toEqual([1]);
});
