import { expect, it } from "vitest";
import { cheapestWay, type ListSize } from "./list-size.ts";

const label = { kind: "categories", id: "x" } as const;
const page = { limit: 13, offset: 0 };
const size = (values: Partial<ListSize>): ListSize => ({
  site: 100_000,
  total: 100_000,
  smallestLabel: null,
  gatherable: 100_000,
  isFiltered: false,
  isOneLabel: false,
  ...values,
});
const oneLabel = (count: number) =>
  size({
    total: count,
    smallestLabel: label,
    gatherable: count,
    isFiltered: true,
    isOneLabel: true,
  });

it("walks the whole list where nothing narrows it", () => {
  expect(cheapestWay({ column: "trend" }, page, size({}))).toEqual({
    kind: "walk",
    label: null,
    maxRows: null,
  });
});

it("walks the newest of one label in its own index, however few there are", () => {
  for (const count of [1, 50_000]) {
    expect(cheapestWay({ column: "published_at" }, page, oneLabel(count))).toEqual({
      kind: "walk",
      label,
      maxRows: null,
    });
  }
});

it("gathers what few have and walks where many have it, with an end to its patience", () => {
  expect(cheapestWay({ column: "trend" }, page, oneLabel(100))).toEqual({ kind: "gather" });
  const way = cheapestWay({ column: "trend" }, page, oneLabel(50_000));
  expect(way).toMatchObject({ kind: "walk", label: null });
  expect(way.kind === "walk" ? way.maxRows : 0).toBeLessThan(1000);
});

it("gathers for a page so deep that walking there would be longer", () => {
  expect(cheapestWay({ column: "trend" }, { limit: 13, offset: 3000 }, oneLabel(5000)).kind).toBe(
    "gather",
  );
});

it("reads nothing for a list that is empty", () => {
  expect(cheapestWay({ column: "published_at" }, page, oneLabel(0))).toEqual({ kind: "none" });
});
