import { expect, it } from "vitest";
import { planRead, type ListSize } from "./video-list.repository.ts";

const label = { kind: "categories", id: "x" } as const;
const page = { limit: 13, offset: 0 };
const labelled = { visibility: "listed", labels: { categories: "x" } } as const;
const ofSite: ListSize = {
  site: 100_000,
  total: 100_000,
  smallestLabel: null,
  gatherable: 100_000,
};
const ofLabel = (count: number): ListSize => ({
  site: 100_000,
  total: count,
  smallestLabel: label,
  gatherable: count,
});

it("walks the index if nothing but the order and one label matters", () => {
  const everything = { visibility: "listed", labels: {} } as const;
  const exact = { kind: "walk", label: null, maxRows: 33, isCertain: true };
  expect(planRead(everything, { column: "trend" }, { limit: 13, offset: 20 }, ofSite)).toEqual(
    exact,
  );
  expect(planRead(labelled, { column: "published_at" }, page, ofLabel(50))).toEqual({
    kind: "walk",
    label,
    maxRows: 13,
    isCertain: true,
  });
});

it("gathers rare labels and walks for frequent ones, with a limit", () => {
  const byTrend = { column: "trend" };
  expect(planRead(labelled, byTrend, page, ofLabel(100))).toEqual({ kind: "gather" });
  const plan = planRead(labelled, byTrend, page, ofLabel(50_000));
  expect(plan).toMatchObject({ kind: "walk", label: null });
  expect(plan.kind === "walk" ? plan.maxRows : 0).toBeLessThan(1000);
});

it("gathers rows for a deep page if a walk would take longer", () => {
  const deep = { limit: 13, offset: 3000 };
  expect(planRead(labelled, { column: "trend" }, deep, ofLabel(5000)).kind).toBe("gather");
});

it("reads more rows than the page has if a second filter narrows a label", () => {
  const filter = { ...labelled, length: "short" } as const;
  const size = { ...ofLabel(5000), total: 500 };
  expect(planRead(filter, { column: "published_at" }, page, size)).toEqual({
    kind: "walk",
    label,
    maxRows: 130 * 4 + 500,
    isCertain: false,
  });
});
