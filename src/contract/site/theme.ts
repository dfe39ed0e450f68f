import { contrastOf, isHexColor, mix } from "./accent.ts";

/** Roundness of corners: the design tokens for small, medium and large parts, in px. */
const radii = {
  none: [0, 0, 0],
  small: [3, 5, 8],
  medium: [6, 10, 16],
  large: [10, 16, 26],
} as const;
export const cornerRadii = ["none", "small", "medium", "large"] as const;
export type CornerRadius = (typeof cornerRadii)[number];

/** Fonts to choose from. Inter comes with the product, the others with the visitor's system. */
export const siteFonts = ["inter", "system", "serif", "rounded", "mono"] as const;
export type SiteFont = (typeof siteFonts)[number];

const stacks: Record<Exclude<SiteFont, "inter">, string> = {
  system: "system-ui, sans-serif",
  serif: 'ui-serif, Charter, "Bitstream Charter", Georgia, "Noto Serif", serif',
  rounded:
    'ui-rounded, "SF Pro Rounded", Nunito, Quicksand, "Arial Rounded MT Bold", system-ui, sans-serif',
  mono: 'ui-monospace, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
};

/** The part of the settings that changes design tokens. */
export interface SiteTheme {
  accentColor: string | null;
  groundColor: string | null;
  cornerRadius: CornerRadius;
  font: SiteFont;
}

export const standardTheme: SiteTheme = {
  accentColor: null,
  groundColor: null,
  cornerRadius: "medium",
  font: "inter",
};

/** Texts and grounds of `tokens.css` as hexadecimal colors. */
const themes = {
  light: {
    ground: "#fbf9f5",
    text: "#15181f",
    secondary: "#4c5057",
    accent: "#8e5300",
    others: { danger: "#b91121", success: "#0e6936" },
    /** Share of the text in the seven steps from the ground to the strongest border. */
    steps: [0, 0.026, 0.058, 0.09, 0.129, 0.174, 0.25],
    strongest: 4,
  },
  dark: {
    ground: "#0d0e12",
    text: "#f5f3f0",
    secondary: "#b1b4bb",
    accent: "#f7b746",
    others: { danger: "#fd7f7e", success: "#65d68a" },
    steps: [0, 0.037, 0.086, 0.136, 0.185, 0.24, 0.315],
    strongest: 3,
  },
} as const;
type ThemeName = keyof typeof themes;

const textContrast = 4.5;
const partContrast = 3;
/** How much of the ground's color the other theme takes over. */
const tint = 0.04;

/** Returns the theme whose ground a color can be: the one whose text has more contrast with it. */
const themeOf = (hex: string): ThemeName =>
  contrastOf(hex, themes.light.text) >= contrastOf(hex, themes.dark.text) ? "light" : "dark";

const stepsOf = (ground: string, { steps, text }: (typeof themes)[ThemeName]): string[] =>
  steps.map((share) => mix(ground, text, share));

/** Returns the grounds of both themes, from the page to the strongest border. */
function groundsOf(hex: string): Record<ThemeName, string[]> {
  const own = themeOf(hex);
  const groundOf = (name: ThemeName) => (name === own ? hex : mix(themes[name].ground, hex, tint));
  return {
    light: stepsOf(groundOf("light"), themes.light),
    dark: stepsOf(groundOf("dark"), themes.dark),
  };
}

/** Returns the pages' background in both themes. */
export function pageGrounds(hex: string | null): Record<ThemeName, string> {
  if (hex === null) return { light: themes.light.ground, dark: themes.dark.ground };
  const { light, dark } = groundsOf(hex);
  return { light: light[0] ?? hex, dark: dark[0] ?? hex };
}

/** Index of the strongest step that is behind text in the accent color. */
const accentStep = 3;

/**
 * Returns the backgrounds of accent-colored text for a custom background color. The page's background
 * comes first.
 */
export function textGrounds(hex: string | null): Record<ThemeName, string[]> | undefined {
  if (hex === null) return undefined;
  const { light, dark } = groundsOf(hex);
  return { light: light.slice(0, accentStep + 1), dark: dark.slice(0, accentStep + 1) };
}

const rounded = (contrast: number) => Math.floor(contrast * 10) / 10;

/**
 * Returns why a color can't be the ground of the pages, in words for the operator. Returns null if it
 * can.
 */
export function groundProblem(hex: string): string | null {
  if (!isHexColor(hex)) return "must be a color such as #f4efe6";
  const name = themeOf(hex);
  const { secondary, others, strongest } = themes[name];
  const advice = name === "light" ? "lighter" : "darker";
  const steps = groundsOf(hex)[name];
  const checks = [
    { what: "Secondary text", color: secondary, ground: steps[strongest] ?? hex },
    { what: "Text about problems", color: others.danger, ground: hex },
    { what: "Text about success", color: others.success, ground: hex },
  ];
  for (const { what, color, ground } of checks) {
    const contrast = contrastOf(color, ground);
    if (contrast >= textContrast) continue;
    return `is unreadable. ${what} would have a contrast of only ${rounded(contrast)}:1, and WCAG AA requires ${textContrast}:1. Choose a ${advice} color`;
  }
  return null;
}

/**
 * Returns why an accent can't be seen on a ground, or null. Without an accent, checks text in the
 * standard one, which doesn't adapt to the ground.
 */
export function accentOnGroundProblem(accent: string | null, ground: string | null): string | null {
  if (ground === null) return null;
  if (accent === null) {
    const name = themeOf(ground);
    const behind = groundsOf(ground)[name][accentStep] ?? ground;
    const contrast = contrastOf(themes[name].accent, behind);
    if (contrast >= textContrast) return null;
    return `Text in the standard accent color would have a contrast of only ${rounded(contrast)}:1 with this ground. WCAG AA requires ${textContrast}:1. Choose another ground, or an accent color of your own.`;
  }
  for (const [name, page] of Object.entries(pageGrounds(ground))) {
    const contrast = contrastOf(accent, page);
    if (contrast >= partContrast) continue;
    return `The accent color has a contrast of only ${rounded(contrast)}:1 with this ground in the ${name} theme. WCAG AA requires ${partContrast}:1.`;
  }
  return null;
}

/** Returns the design tokens of a theme except those of the accent, by their custom properties. */
export function themeTokens(theme: Omit<SiteTheme, "accentColor">): Record<string, string> {
  const { groundColor, cornerRadius, font } = theme;
  const tokens: Record<string, string> = {};
  if (groundColor !== null) {
    const { light, dark } = groundsOf(groundColor);
    for (const [at, color] of light.entries()) {
      tokens[`--color-ink-${at + 1}`] = `light-dark(${color}, ${dark[at] ?? color})`;
    }
  }
  if (cornerRadius !== "medium") {
    for (const [at, size] of (["sm", "md", "lg"] as const).entries()) {
      tokens[`--radius-${size}`] = `${radii[cornerRadius][at] ?? 0}px`;
    }
  }
  if (font !== "inter") tokens["--font-sans"] = stacks[font];
  return tokens;
}

export const themeTokenNames: readonly string[] = Object.keys(
  themeTokens({ groundColor: "#ffffff", cornerRadius: "none", font: "system" }),
);
