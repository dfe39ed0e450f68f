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

/** The rules of axe that depend on colors. */
const colorRules = { runOnly: ["color-contrast", "link-in-text-block"] };

async function findProblems(page: Page, within: string | undefined, options: object) {
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
    { within, options },
  );
  return findings.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** Runs axe over what is shown, or over the parts that `within` selects. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  expect(await findProblems(page, within, {})).toEqual([]);
}

async function setColorScheme(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // Colors may fade to their new values.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const fades = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.all(fades.map((fade) => fade.finished.catch(() => undefined)));
  });
}

/** The same in dark, and the rules about colors in light; the page stays dark. */
export async function expectAccessibleInBothSchemes(page: Page, within?: string): Promise<void> {
  await setColorScheme(page, "dark");
  await expectAccessible(page, within);
  await setColorScheme(page, "light");
  expect(await findProblems(page, within, colorRules)).toEqual([]);
  await setColorScheme(page, "dark");
}
