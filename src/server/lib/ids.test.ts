import { expect, it } from "vitest";
import { drawRandomBytes, isUuid, newId, newToken } from "./ids.ts";

it("creates ids that sort by creation order, even within a millisecond", () => {
  const ids = [1, 2].flatMap((ms) => Array.from({ length: 2000 }, () => newId(ms)));
  expect(ids.every(isUuid)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  // Version 7, variant 10.
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(id))).toBe(true);
});

it("never returns the same random bytes twice, for small and large sizes", () => {
  const tokens = Array.from({ length: 3000 }, (_, at) => newToken(16 + (at % 3)));
  expect(new Set(tokens.map((token) => token.slice(0, 16))).size).toBe(tokens.length);
  expect(newToken(9)).toHaveLength(12);
  const first = drawRandomBytes(5000);
  expect(first).toHaveLength(5000);
  expect(drawRandomBytes(5000).equals(first)).toBe(false);
  const held = drawRandomBytes(16);
  const before = held.toString("hex");
  for (let n = 0; n < 1000; n += 1) drawRandomBytes(16);
  expect(held.toString("hex")).toBe(before);
});
