import { expect, test } from "vitest";
import { isUuid } from "./ids.ts";
import { foldName, slugCandidates, slugify } from "./names.ts";

test.each([
  ["case", "CAFÉ Olé", "Café olé"],
  ["composition", "Cafe\u0301", "Café"],
  ["Latin accents", "Müller", "Muller"],
  ["Greek accents and the final sigma", "ΕΛΛΆΣ", "ελλας"],
  ["sharp s", "STRASSE", "Straße"],
  ["Turkish letters", "İstanbul Işık", "istanbul isik"],
  ["width", "Ｔｏｋｙｏ　２０２４ ﾀﾞﾝｽ", "tokyo 2024 ダンス"],
  ["spaces", " two   words ", "two words"],
  ["emoji presentation", "I \u2764\ufe0f cats", "I \u2764 cats"],
])("treats names that differ only in %s as equal", (_, one, other) => {
  expect(foldName(one)).toBe(foldName(other));
  expect(slugify(one)).toBe(slugify(other));
});

test.each([
  ["Часть 1", "Глава 1"],
  ["й", "и"],
  ["が", "か"],
  ["日本 2024", "東京 2024"],
  ["C++", "C#"],
  ["कि", "क"],
  ["שָׁלוֹם", "שלום"],
  ["Борис 2", "Анна 2"],
  ["🎬", "🎥"],
])("tells %s and %s apart", (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other));
});

test.each([
  ["A café at night", "a-cafe-at-night"],
  ["Привет, мир!", "привет-мир"],
  ["हिन्दी फ़िल्म", "हिन्दी-फ़िल्म".normalize("NFC")],
  ["日本 2024", "日本-2024"],
  ["الشِّعر", "الشِّعر".normalize("NFC")],
  ["don’t stop", "dont-stop"],
  ["x² + y", "x2-y"],
  ["\u0301", ""],
  ["🎬", ""],
])("makes the slug of %s", (name, slug) => {
  expect(slugify(name)).toBe(slug);
});

test("cuts a slug after 80 letters, between words if possible", () => {
  expect(slugify("ж".repeat(100))).toBe("ж".repeat(80));
  expect(slugify("слово ".repeat(20))).toBe(Array(13).fill("слово").join("-"));
});

const firstTwo = (title: string) => {
  const slugs = slugCandidates(title, "video");
  return [slugs.next().value, slugs.next().value];
};

test("numbers slugs, and makes one up for a name without letters", () => {
  expect(firstTwo("Ночь")).toEqual(["ночь", "ночь-2"]);
  expect(firstTwo("🎬")[0]).toMatch(/^video-[a-z0-9]+$/);
});

test("generates no slug that looks like an id", () => {
  const titles = [
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "0f8fad5b d9cb 469f a165 70867728950e",
    "12345678-1234-1234-1234-123456789012",
  ];
  const slugs = titles.map((title) => String(firstTwo(title)[0]));
  expect(slugs[1]).toBe("video-0f8fad5b-d9cb-469f-a165-70867728950e");
  expect(slugs.filter(isUuid)).toEqual([]);
});
