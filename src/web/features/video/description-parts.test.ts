import { expect, test } from "vitest";
import { descriptionParts } from "#contract/videos/description-parts.ts";
import { foldDescription } from "./components/about-video.tsx";

test("links URLs without their trailing full stop", () => {
  expect(descriptionParts("See https://example.org/a?b=1. Or (http://x.test)!")).toEqual([
    { text: "See ", href: null },
    { text: "https://example.org/a?b=1", href: "https://example.org/a?b=1" },
    { text: ". Or (", href: null },
    { text: "http://x.test", href: "http://x.test" },
    { text: ")!", href: null },
  ]);
});

const wiki = "https://en.wikipedia.org/wiki/Moon_(film)";
test.each([
  [`See ${wiki}.`, [wiki]],
  [`(${wiki}), [${wiki}]!`, [wiki, wiki]],
  ["{https://a.test/x?y[]=1&z={1}}", ["https://a.test/x?y[]=1&z={1}"]],
  ["[a](https://a.test/b): (https://c.test/d:)?", ["https://a.test/b", "https://c.test/d"]],
  [
    "公式（https://a.test/日本）。詳細：https://b.test/c、",
    ["https://a.test/日本", "https://b.test/c"],
  ],
  ["《https://a.test》，「https://b.test/?q=1」！", ["https://a.test", "https://b.test/?q=1"]],
])("ends URLs before punctuation and unpaired brackets in %s", (text, links) => {
  const parts = descriptionParts(text);
  expect(parts.flatMap(({ href }) => href ?? [])).toEqual(links);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});

// Takes minutes if every dot starts a search for the end.
test("reads a URL with very many dots in time", () => {
  const text = `https://a.test/${".".repeat(500_000)}x`;
  expect(descriptionParts(`${text}...`)).toEqual([
    { text, href: text },
    { text: "...", href: null },
  ]);
});

test("doesn't link other schemes", () => {
  const text = "javascript:alert(1) data:text/html,x ftp://a.test";
  expect(descriptionParts(text)).toEqual([{ text, href: null }]);
});

test("preserves the whole text", () => {
  const text = "https://a.test https:// http://[ and the end";
  expect(
    descriptionParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("doesn't fold short texts", () => {
  expect(foldDescription("One line.")).toEqual(["One line.", ""]);
});

test("folds long texts between words without losing any text", () => {
  const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");
  const [start, rest] = foldDescription(text);
  expect(start + rest).toBe(text);
  expect(start.length).toBeLessThanOrEqual(320);
  expect(rest.startsWith(" ")).toBe(true);
});

test("folds texts with many lines", () => {
  const text = Array.from({ length: 20 }, (_, index) => String(index)).join("\n");
  const [start, rest] = foldDescription(text);
  expect(start.split("\n").length).toBeLessThanOrEqual(5);
  expect(start + rest).toBe(text);
});

test.each([
  ["between words, even after punctuation", `${"あ".repeat(200)} い、${"う".repeat(300)}`, 200],
  ["after punctuation", `${"あ".repeat(200)}。${"い".repeat(300)}`, 201],
  ["after an emoji", `${"あ".repeat(319)}😀${"い".repeat(200)}`, 321],
  ["before a letter with its mark", `${"あ".repeat(319)}กี${"ก".repeat(200)}`, 319],
  ["before joined emoji", `${"あ".repeat(318)}👩‍💻${"い".repeat(200)}`, 318],
])("folds texts without spaces %s", (_place, text, length) => {
  const [start, rest] = foldDescription(text);
  expect(start.length).toBe(length);
  expect(start + rest).toBe(text);
  expect([start.isWellFormed(), rest.isWellFormed()]).toEqual([true, true]);
});

test("folds texts outside of addresses", () => {
  const address = `https://example.org/${"a".repeat(100)}.${"b".repeat(100)}`;
  for (const before of [40, 250, 310]) {
    const text = `${"あ".repeat(before)}${address}、${"い".repeat(400)}`;
    const links = foldDescription(text).flatMap((part) =>
      descriptionParts(part).flatMap(({ href }) => href ?? []),
    );
    expect(links).toEqual([address]);
  }
});
