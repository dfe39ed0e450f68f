import { expect, it } from "vitest";
import { contrastOf } from "./accent.ts";
import { accentOnGroundProblem, groundProblem, pageGrounds, themeTokens } from "./theme.ts";

it.each(["#ffffff", "#fff4d6", "#e8f0ff", "#000000", "#101820", "#1a0f14"])(
  "accepts the ground %s and derives a readable one for the other theme",
  (ground) => {
    expect(groundProblem(ground)).toBeNull();
    const { light, dark } = pageGrounds(ground);
    expect([light, dark]).toContain(ground);
    expect(contrastOf(light, "#4c5057")).toBeGreaterThan(4.5);
    expect(contrastOf(dark, "#b1b4bb")).toBeGreaterThan(4.5);
  },
);

it.each(["#808080", "#ff0000", "#c0c0c0", "#3a3a3a", "red", "#fff"])(
  "refuses the ground %s",
  (ground) => {
    expect(groundProblem(ground)).not.toBeNull();
  },
);

it("refuses an accent that can't be seen on the ground", () => {
  expect(accentOnGroundProblem("#c2410c", "#fff4d6")).toBeNull();
  expect(accentOnGroundProblem(null, "#fff4d6")).toBeNull();
  expect(accentOnGroundProblem("#8a5a00", "#2e2a26")).toContain("in the dark theme");
});

it("returns no tokens for the standard theme, and only the changed ones otherwise", () => {
  const standard = { groundColor: null, cornerRadius: "medium", font: "inter" } as const;
  expect(themeTokens(standard)).toEqual({});
  expect(themeTokens({ ...standard, cornerRadius: "none" })).toEqual({
    "--radius-sm": "0px",
    "--radius-md": "0px",
    "--radius-lg": "0px",
  });
  expect(themeTokens({ ...standard, font: "system" })).toEqual({
    "--font-sans": "system-ui, sans-serif",
  });
  expect(themeTokens({ ...standard, groundColor: "#fff4d6" })["--color-ink-1"]).toMatch(
    /^light-dark\(#fff4d6, #[0-9a-f]{6}\)$/,
  );
});
