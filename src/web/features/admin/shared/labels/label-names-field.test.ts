import { expect, test } from "vitest";
import { completeNames, joinNames, splitNames, suggestNames } from "./label-names-field.tsx";

test("splits names on commas, trims them, and drops empty ones", () => {
  expect(splitNames(" Slow cinema, night ,, ,rain")).toEqual(["Slow cinema", "night", "rain"]);
  expect(splitNames("  ")).toEqual([]);
  // Keyboards for Arabic, Chinese and Japanese have other commas.
  expect(splitNames("猫、犬，鳥")).toEqual(["猫", "犬", "鳥"]);
  expect(splitNames("قط، كلب")).toEqual(["قط", "كلب"]);
  expect(splitNames(joinNames(["a", "b"]))).toEqual(["a", "b"]);
});

test("suggests known names that match the one being typed", () => {
  const known = ["Big night", "Night", "Night city", "Noon"];
  expect(suggestNames("Rain, ni", known, 3)).toEqual(["Night", "Night city", "Big night"]);
  expect(suggestNames("Night, ni", known, 3)).toEqual(["Night city", "Big night"]);
  expect(suggestNames("Rain, ", known, 3)).toEqual([]);
  expect(completeNames("Rain, ni", "Night")).toBe("Rain, Night, ");
  expect(completeNames("ni", "Night")).toBe("Night, ");
  expect(suggestNames("雨、夜", ["夜の街"], 3)).toEqual(["夜の街"]);
  expect(completeNames("雨、夜", "夜の街")).toBe("雨、 夜の街, ");
});
