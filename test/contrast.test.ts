import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contrastOf } from "#contract/site/accent.ts";

const read = (file: string) => readFileSync(new URL(`../src/web/${file}`, import.meta.url), "utf8");
const tokens = read("app/styles/tokens.css");
const styles = read("app/styles/base.css") + read("features/admin/shared/admin.css");

/** Converts a color of OKLCH (Björn Ottosson, "A perceptual color space") to hexadecimal sRGB. */
function hexOf([lightness, chroma, hue]: readonly [number, number, number]): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const parts = linear.map((value) => {
    const part = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, part)) * 255);
  });
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

it.each([
  ["the track of a switch that is on", "switch:checked", "ink-1"],
  ["the track of a switch that is on, in a dialog", "switch:checked", "ink-2"],
  ["the filled part of a meter", "meter::-webkit-progress-value", "ink-5"],
  ["the line of the open tab", "tab[data-active]", "ink-1"],
])("shows %s in both themes with the standard accent", (_part, selector, ground) => {
  const rule = styles.slice(styles.indexOf(`.${selector} {`));
  const [, name = ""] = /(?:background|border-color): var\(--color-([\w-]+)\)/.exec(rule) ?? [];
  const pairOf = (token: string) => {
    const [line = ""] = new RegExp(`--color-${token}: light-dark.*`).exec(tokens) ?? [];
    return [...line.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(([, l, c, h]) =>
      hexOf([Number(l), Number(c), Number(h)]),
    );
  };
  const [colors, grounds] = [pairOf(name), pairOf(ground)];
  expect(colors).toHaveLength(2);
  for (const [at, color] of colors.entries()) {
    expect(contrastOf(color, grounds[at] ?? "")).toBeGreaterThan(3);
  }
});
