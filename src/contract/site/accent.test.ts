import { expect, it } from "vitest";
import { accentProblem, accentTokens, contrastOf } from "./accent.ts";

it("computes the contrasts of WCAG", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

it.each([
  [
    "#ffd54a",
    "has a contrast of only 1.3:1 with the light theme. WCAG AA requires 3:1. Choose a darker color",
  ],
  [
    "#1a1a40",
    "has a contrast of only 1.1:1 with the dark theme. WCAG AA requires 3:1. Choose a lighter color",
  ],
  ["red", "must be a color such as #c2410c"],
])("refuses %s with a helpful text", (color, problem) => {
  expect(accentProblem(color)).toBe(problem);
});

it("derives readable text colors from every accent that it accepts", () => {
  const steps = ["00", "33", "66", "99", "cc", "ff"];
  const accepted = steps
    .flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))
    .filter((color) => accentProblem(color) === null);
  expect(accepted.length).toBeGreaterThan(30);
  for (const color of accepted) {
    const tokens = new Map(Object.entries(accentTokens(color)));
    const pairOf = (name: string) => (tokens.get(name) ?? "").match(/#[0-9a-f]{6}/g) ?? [];
    const [ink = ""] = pairOf("--color-lamp-ink");
    expect(contrastOf(ink, color)).toBeGreaterThan(4.5);
    expect(contrastOf(ink, pairOf("--color-lamp-strong")[0] ?? "")).toBeGreaterThan(4.5);
    const [lightText = "", darkText = ""] = pairOf("--color-lamp-text");
    const [lightSoft = "", darkSoft = ""] = pairOf("--color-lamp-soft");
    for (const [text, ground] of [
      [lightText, lightSoft],
      [lightText, "#fbf9f5"],
      [darkText, darkSoft],
      [darkText, "#0d0e12"],
    ] as const) {
      expect({ color, isReadable: contrastOf(text, ground) >= 4.5 }).toEqual({
        color,
        isReadable: true,
      });
    }
  }
});
