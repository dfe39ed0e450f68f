import { expect, test } from "vitest";
import { parseSearch } from "./search-filters.ts";

test("cuts texts to well-formed Unicode", () => {
  const query = `search=${"x".repeat(199)}😀&category=${"x".repeat(79)}😀`;
  const { term, filters } = parseSearch(new URLSearchParams(query));
  expect([term, filters.category].map((text) => text.isWellFormed())).toEqual([true, true]);
});
