import { expect, it } from "vitest";
import { cheapestWay, isWalk, type ListSize } from "./list-size.ts";

const label = { kind: "categories", id: "x" } as const;
const page = { limit: 13, offset: 0 };
const byOneLabel = (count: number): ListSize => ({
  site: 100_000,
  total: count,
  smallestLabel: label,
  gatherable: count,
});

it("walks what nothing narrows, and the newest of one label, to the end", () => {
  const newest = { column: "published_at" };
  const trending = { column: "trend" };
  const labels = { categories: "x" };
  expect(isWalk({ visibility: "listed", labels: {} }, trending)).toBe(true);
  expect(isWalk({ visibility: "listed", labels }, newest)).toBe(true);
  expect(isWalk({ visibility: "listed", labels }, trending)).toBe(false);
  expect(isWalk({ visibility: "listed", labels: { ...labels, tags: "y" } }, newest)).toBe(false);
  const match = { kind: "titles" as const, ids: [], spelled: [] };
  expect(isWalk({ visibility: "listed", labels: {}, match }, newest)).toBe(false);
});

it("gathers what few have and walks where many have it, with an end to its patience", () => {
  expect(cheapestWay({ column: "trend" }, page, byOneLabel(100))).toEqual({ kind: "gather" });
  const way = cheapestWay({ column: "trend" }, page, byOneLabel(50_000));
  expect(way).toMatchObject({ kind: "walk", label: null });
  expect(way.kind === "walk" ? way.maxRows : 0).toBeLessThan(1000);
});

it("gathers for a page so deep that walking there would be longer", () => {
  expect(cheapestWay({ column: "trend" }, { limit: 13, offset: 3000 }, byOneLabel(5000)).kind).toBe(
    "gather",
  );
});

it("reads nothing for a list that is empty", () => {
  expect(cheapestWay({ column: "published_at" }, page, byOneLabel(0))).toEqual({ kind: "none" });
});
