import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axeSource = await readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/**
 * Options for every run. They skip selectors of elements that passed, copies of style sheets, and
 * frames, which don't contain axe. They also limit the wait for media that never loads, which is
 * 10 s by default.
 */
const always = {
  iframes: false,
  resultTypes: ["violations"],
  preload: { assets: ["media"], timeout: 1000 },
};

/** Axe rules that depend on colors. */
const colorRules = { runOnly: ["color-contrast", "link-in-text-block"] };

async function findProblems(page: Page, within: string | undefined, options: object) {
  // Waits for elements that fade out, because they no longer contain text.
  await page.waitForFunction(() => document.querySelector("[data-ending-style]") === null);
  const hasAxe = await page.evaluate(() => "axe" in globalThis);
  if (!hasAxe) await page.evaluate(axeSource);
  const findings = await page.evaluate(
    async (given) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(context: string | object, options: object): Promise<{ violations: Finding[] }>;
        };
      };
      return (await axe.run(given.within ?? { exclude: [] }, given.options)).violations;
    },
    { within, options: { ...always, ...options } },
  );
  return findings.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** Runs axe on the page, or on the parts selected by `within`. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  expect(await findProblems(page, within, {})).toEqual([]);
}

/**
 * Runs the rule about touch targets, which axe skips by default: at least 24 px, or as much space.
 */
export async function expectTouchTargets(page: Page): Promise<void> {
  expect(await findProblems(page, undefined, { runOnly: ["target-size"] })).toEqual([]);
}

/**
 * Also checks the color rules in the other color scheme. The page stays in that scheme, without
 * transitions, because fading colors have no final contrast.
 */
export async function expectAccessibleInBothSchemes(page: Page, within?: string): Promise<void> {
  const isDark = await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important }");
    document.adoptedStyleSheets = [sheet];
    return matchMedia("(prefers-color-scheme: dark)").matches;
  });
  await expectAccessible(page, within);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await findProblems(page, within, colorRules)).toEqual([]);
}
