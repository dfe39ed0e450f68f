// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { joinNames, LabelNamesField, splitNames, suggestNames } from "./label-names-field.tsx";

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
  expect(suggestNames("ni", ["Rain"], known, 3)).toEqual(["Night", "Night city", "Big night"]);
  expect(suggestNames("ni", ["Night"], known, 3)).toEqual(["Night city", "Big night"]);
  expect(suggestNames("", ["Rain"], known, 3)).toEqual([]);
  expect(suggestNames("夜", ["雨"], ["夜の街"], 3)).toEqual(["夜の街"]);
});

const client = new QueryClient();
client.setQueryData(["admin", "label list", "tags"], []);

function Form() {
  const [value, setValue] = useState("Rain");
  return (
    <QueryClientProvider client={client}>
      <LabelNamesField kind="tags" value={value} onValue={setValue} />
      <output>{value}</output>
    </QueryClientProvider>
  );
}

test("shows names as chips, and accepts commas, spreadsheet cells and backspace", () => {
  render(<Form />);
  const value = () => screen.getByRole("status").textContent;
  const field = () => screen.getByLabelText<HTMLInputElement>("Tags");
  const chips = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);
  fill("Tags", "Night, ci");
  expect([value(), chips(), field().value]).toEqual(["Rain, Night, ci", ["Rain", "Night"], "ci"]);
  fireEvent.paste(field(), { clipboardData: { getData: () => "ty\nFog\tMist\r\nSnow\n" } });
  expect([value(), field().value]).toEqual(["Rain, Night, city, Fog, Mist, Snow", ""]);
  fireEvent.keyDown(field(), { key: "Backspace" });
  press("Remove Night");
  press("Remove Mist");
  expect(value()).toBe("Rain, city, Fog");
  fill("Tags", "Hail");
  fireEvent.blur(field());
  expect([value(), chips().at(-1), field().value]).toEqual([
    "Rain, city, Fog, Hail",
    "Fog",
    "Hail",
  ]);
});

test("splits text of an input method once it is converted", () => {
  render(<Form />);
  const field = screen.getByLabelText<HTMLInputElement>("Tags");
  const compose = (value: string) =>
    fireEvent.input(field, { target: { value }, isComposing: true });
  const state = () => [screen.getByRole("status").textContent, field.value];
  compose("、");
  fireEvent.keyDown(field, { key: "Backspace", isComposing: true });
  expect(state()).toEqual(["Rain", "、"]);
  compose("とうきょう");
  expect(state()).toEqual(["Rain, とうきょう", "とうきょう"]);
  compose("とうきょう、");
  expect(state()).toEqual(["Rain, とうきょう", "とうきょう、"]);
  compose("東京、");
  fireEvent.compositionEnd(field);
  expect(state()).toEqual(["Rain, 東京", ""]);
});
