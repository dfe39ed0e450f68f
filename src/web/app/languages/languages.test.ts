import { expect, test } from "vitest";
import { languageCodes } from "#contract/site/languages.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import { textsOf } from "./all-languages.ts";

const translated = languageCodes.filter((code) => code !== "en");

test("has exactly one file per language", () => {
  const files = Object.keys(import.meta.glob("./??.ts"));
  expect(files.toSorted()).toEqual(translated.map((code) => `./${code}.ts`).toSorted());
});

test.each(translated)("includes in %s every form of its counted nouns", (code) => {
  const { views, likes, videos } = textsOf(code)?.format ?? {};
  const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  for (const noun of [views, likes, videos]) {
    expect(Object.keys(noun ?? {})).toEqual(expect.arrayContaining(forms));
  }
});

/** Every text with its path. */
function listTexts(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String(value)]];
  return Object.entries(Object(value)).flatMap(([name, inner]) =>
    listTexts(inner, `${path}.${name}`),
  );
}

test.each(translated)("leaves in %s no text empty", (code) => {
  const all = [...listTexts(textsOf(code), code), ...listTexts(visitorTexts(code), "server")];
  expect(all.filter(([, text]) => text.trim() === "")).toEqual([]);
});
