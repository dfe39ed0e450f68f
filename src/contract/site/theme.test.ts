import { expect, it } from "vitest";
import { accentTokens, contrastOf } from "./accent.ts";
import {
  accentOnGroundProblem,
  groundProblem,
  pageGrounds,
  textGrounds,
  themeTokens,
} from "./theme.ts";

const pairOf = (token = "") => token.match(/#[0-9a-f]{6}/g) ?? [];

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

it("refuses a ground on which text in the standard accent is unreadable", () => {
  expect(accentOnGroundProblem(null, "#c8e6c9")).toContain("standard accent color");
  expect(accentOnGroundProblem(null, "#e8f0ff")).toBeNull();
  expect(accentOnGroundProblem(null, "#101820")).toBeNull();
});

it.each(["#c8e6c9", "#fff4d6", "#232833"])(
  "adapts text in the accent to the ground %s",
  (ground) => {
    const theme = { groundColor: ground, cornerRadius: "medium", font: "inter" } as const;
    const behind = pairOf(themeTokens(theme)["--color-ink-4"]);
    for (const accent of ["#c2410c", "#2e7d32", "#1565c0", "#8a5a00"]) {
      const text = pairOf(accentTokens(accent, textGrounds(ground))["--color-lamp-text"]);
      for (const [at, color] of text.entries()) {
        expect(contrastOf(color, behind[at] ?? "")).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);

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
