import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { EnginePage } from "./engine-page.ts";
import { waitFor } from "./screen.ts";

declare const axe: {
  run(context: object, options: object): Promise<{ violations: Violation[] }>;
};
interface Violation {
  id: string;
  nodes: { html: string }[];
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = await readFile(axePath, "utf8");
// The driver runs it in the page, where the page's Content Security Policy doesn't apply to it.
// oxlint-disable-next-line no-new-func, typescript/no-implied-eval
const loadAxe = new Function(axeSource) as () => void;

/** Rules that depend on the theme. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Stops transitions, because fading colors have no final contrast. */
function stopTransitions(): void {
  const style = new CSSStyleSheet();
  style.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets = [style];
}

/** Runs axe in this theme. Skips frames, which show public pages and ads. */
function startAxe(theme: string, rules: string[] | null): void {
  document.documentElement.dataset["theme"] = theme;
  const found = globalThis as { findings?: string[] | null };
  found.findings = null;
  const options = { iframes: false, ...(rules === null ? {} : { runOnly: rules }) };
  axe.run(document, options).then(
    ({ violations }) => {
      found.findings = violations.map(
        ({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
      );
    },
    (error: unknown) => {
      found.findings = [String(error)];
    },
  );
}

/** Returns the violations of axe's rules in both themes. */
export async function findViolations(page: EnginePage): Promise<string[]> {
  await page.evaluate(stopTransitions);
  await page.evaluate(loadAxe);
  const all: string[] = [];
  for (const [theme, rules] of [
    ["light", null],
    ["dark", colorRules],
  ] as const) {
    await page.evaluate(startAxe, theme, rules);
    all.push(
      ...(await waitFor(page, () => (globalThis as { findings?: string[] | null }).findings)),
    );
  }
  return all;
}
