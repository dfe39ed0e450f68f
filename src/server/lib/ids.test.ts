import { expect, it } from "vitest";
import { isUuid, newId, newLinkToken, newToken, normalizeCode, plainCode } from "./ids.ts";

it("creates ids that sort by creation order, even within a millisecond", () => {
  const ids = [1, 2].flatMap((ms) => Array.from({ length: 2000 }, () => newId(ms)));
  expect(ids.every(isUuid)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  // Version 7, variant 10.
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(id))).toBe(true);
});

it("never returns the same token twice", () => {
  const tokens = Array.from({ length: 3000 }, (_, at) => newToken(16 + (at % 3)));
  expect(new Set(tokens.map((token) => token.slice(0, 16))).size).toBe(tokens.length);
  expect(newToken(9)).toHaveLength(12);
});

it("never ends the token of a link in a character that mail programs leave out", () => {
  const ends = Array.from({ length: 1000 }, () => newLinkToken().at(-1));
  expect(new Set(ends)).toEqual(new Set("AQgw"));
});

it.each([
  ["123456", "123456"],
  ["\u0661\u0662\u0663 \u0664\u0665\u0660", "123450"],
  ["\u06f1\u06f2\u06f3-\u06f4\u06f5\u06f9", "123459"],
  ["\uff11\uff12\uff13\uff14\uff15\uff16", "123456"],
  ["\u200e123456\u200f", "123456"],
  ["abcd\u2013ef23", "ABCDEF23"],
])("reads a code from any keyboard: %j", (typed, code) => {
  expect(plainCode(typed)).toBe(code);
});

it("replaces look-alikes in a typed code", () => {
  expect(normalizeCode("Oi\u0662-l7")).toBe("01217");
});
