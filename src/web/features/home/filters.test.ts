import { expect, test } from "vitest";
import { homeHref, isSameFilters, parseFilters, queryOf, type Filters } from "./filters.ts";

const noFilters: Filters = { search: "", category: "", sort: "" };
const parse = (query: string) => parseFilters(new URLSearchParams(query));

test("omits the default order from the URL", () => {
  expect(parse("")).toEqual(noFilters);
  expect(isSameFilters(parse("sort=newest"), noFilters)).toBe(true);
  expect(homeHref(noFilters)).toBe("/home");
  expect(homeHref({ ...noFilters, sort: "newest" })).toBe("/home");
  expect(homeHref({ ...noFilters, sort: "top_rated" })).toBe("/home?sort=top_rated");
});

test("sorts by the newest, except in a search without an order", () => {
  const orderOf = (query: string) => queryOf(parse(query)).sort;
  expect(["", "sort=newest", "search=x", "search=x&sort=newest"].map(orderOf)).toEqual([
    ...["newest", "newest", undefined, "newest"],
  ]);
});

test("encodes all filters in the URL", () => {
  const filters = { search: "a & b/ü", category: "Teen", sort: "trending" } as const;
  const href = homeHref(filters, "c+1");
  const params = new URLSearchParams(href.slice(href.indexOf("?")));
  expect(parseFilters(params)).toEqual(filters);
  expect(params.get("cursor")).toBe("c+1");
});

test("ignores invalid values in the URL", () => {
  expect(parse("sort=loudest&search=%20%20&category=%20")).toEqual(noFilters);
  expect(parse(`search=${"x".repeat(500)}`).search).toHaveLength(200);
});

test("cuts texts to well-formed Unicode", () => {
  const { search, category } = parse(`search=${"x".repeat(199)}😀&category=${"x".repeat(79)}😀`);
  expect([search, category].map((text) => text.isWellFormed())).toEqual([true, true]);
});

test("matches categories case-insensitively", () => {
  expect(
    isSameFilters({ ...noFilters, category: "teen" }, { ...noFilters, category: "Teen" }),
  ).toBe(true);
  expect(isSameFilters({ ...noFilters, search: "a" }, { ...noFilters, search: "A" })).toBe(false);
});
