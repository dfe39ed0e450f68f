import { expect, test } from "vitest";
import { completeNames, joinNames, splitNames, suggestNames } from "./label-names.ts";

test("names are split on commas, trimmed, empty ones dropped", () => {
  expect(splitNames(" Slow cinema, night ,, ,rain")).toEqual(["Slow cinema", "night", "rain"]);
  expect(splitNames("  ")).toEqual([]);
  expect(splitNames(joinNames(["a", "b"]))).toEqual(["a", "b"]);
});

test("known names are suggested for what is being typed", () => {
  const known = ["Big night", "Night", "Night city", "Noon"];
  expect(suggestNames("Rain, ni", known, 3)).toEqual(["Night", "Night city", "Big night"]);
  expect(suggestNames("Night, ni", known, 3)).toEqual(["Night city", "Big night"]);
  expect(suggestNames("Rain, ", known, 3)).toEqual([]);
  expect(completeNames("Rain, ni", "Night")).toBe("Rain, Night, ");
  expect(completeNames("ni", "Night")).toBe("Night, ");
});
