import { expect, it } from "vitest";
import { isUuid, newId, newToken } from "./ids.ts";

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
