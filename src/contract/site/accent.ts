/**
 * Backgrounds of the two themes: `--color-ink-1` of the pages, and the strongest one behind text.
 */
const grounds = {
  light: { page: "#fbf9f5", strongest: "#e3e0db" },
  dark: { page: "#0d0e12", strongest: "#24262b" },
} as const;
type Theme = keyof typeof grounds;

/** WCAG AA for interface components and text. */
const partContrast = 3;
const textContrast = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Returns the relative luminance as defined by WCAG 2.2. */
function relativeLuminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Returns the contrast of two colors, 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [relativeLuminance(a), relativeLuminance(b)].toSorted(
    (x, y) => x - y,
  );
  return (high + 0.05) / (low + 0.05);
}

/** Returns a color between two. */
export function mix(hex: string, other: string, share: number): string {
  const [a, b] = [rgbOf(hex), rgbOf(other)];
  const parts = a.map((value, at) => Math.round(value + ((b[at] ?? 0) - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/**
 * Returns why a color can't be the accent of both themes, in words for the operator. Returns null
 * if it can.
 */
export function accentProblem(hex: string): string | null {
  if (!isHexColor(hex)) return "must be a color such as #c2410c";
  for (const [theme, advice] of [
    ["light", "darker"],
    ["dark", "lighter"],
  ] as const) {
    const contrast = contrastOf(hex, grounds[theme].page);
    if (contrast >= partContrast) continue;
    const rounded = Math.floor(contrast * 10) / 10;
    return `has a contrast of only ${rounded}:1 with the ${theme} theme. WCAG AA requires ${partContrast}:1. Choose a ${advice} color`;
  }
  return null;
}

/** Returns the accent as text color, adjusted until readable on every background of a theme. */
function toneOf(hex: string, theme: Theme, own: readonly string[]): string {
  const end = theme === "light" ? "#000000" : "#ffffff";
  for (let share = 0; share < 1; share += 0.05) {
    const tone = mix(hex, end, share);
    const isReadable = [...own, grounds[theme].strongest, grounds[theme].page].every(
      (ground) => contrastOf(tone, ground) >= textContrast,
    );
    if (isReadable) return tone;
  }
  return end;
}

/**
 * Returns the design tokens derived from an accent, by the names of their custom properties.
 * @param own grounds behind text, if the standard ones don't apply. The page's is the first.
 */
export function accentTokens(
  hex: string,
  own: Record<Theme, readonly string[]> = { light: [], dark: [] },
): Partial<Record<string, string>> {
  const isDarkInk = contrastOf(hex, "#000000") > contrastOf(hex, "#ffffff");
  const soft = {
    light: mix(own.light[0] ?? grounds.light.page, hex, 0.14),
    dark: mix(own.dark[0] ?? grounds.dark.page, hex, 0.22),
  };
  const pair = (light: string, dark: string) => `light-dark(${light}, ${dark})`;
  return {
    "--color-lamp": hex,
    "--color-lamp-strong": mix(hex, isDarkInk ? "#ffffff" : "#000000", 0.12),
    "--color-lamp-ink": isDarkInk ? "#000000" : "#ffffff",
    "--color-lamp-text": pair(
      toneOf(hex, "light", [soft.light, ...own.light]),
      toneOf(hex, "dark", [soft.dark, ...own.dark]),
    ),
    "--color-lamp-soft": pair(soft.light, soft.dark),
  };
}

export const accentTokenNames: readonly string[] = Object.keys(accentTokens("#000000"));
