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

/** Runs axe and reports its findings at the end of the test, so that one run shows all of them. */
async function expectNothingFound(
  page: Page,
  within: string | undefined,
  options: object,
): Promise<void> {
  // Fading colors have no final contrast, and elements that fade out no longer contain text.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important }");
    document.adoptedStyleSheets = [sheet];
  });
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
  const texts = findings.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
  );
  expect.soft(texts, `axe at ${page.url()} ${within ?? ""}`).toEqual([]);
}

/** Runs all rules of axe on the page, or on the parts selected by `within`. */
export const expectAccessible = (page: Page, within?: string): Promise<void> =>
  expectNothingFound(page, within, {});

/** Runs the rules about colors in the other color scheme. The page stays in that scheme. */
export async function expectContrastInOtherScheme(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  await expectNothingFound(page, undefined, { runOnly: ["color-contrast", "link-in-text-block"] });
}

/**
 * Runs the rule about touch targets, which axe skips by default: at least 24 px, or as much space.
 */
export const expectTouchTargets = (page: Page, within?: string): Promise<void> =>
  expectNothingFound(page, within, { runOnly: ["target-size"] });
