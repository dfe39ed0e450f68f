import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { adminPages } from "#web/features/admin/admin-pages.ts";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor } from "../support/screen.ts";

declare const axe: {
  run(context: object, options: object): Promise<{ violations: Violation[] }>;
};
interface Violation {
  id: string;
  nodes: { html: string }[];
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = await readFile(axePath, "utf8");
// The driver runs it in the page, past the page's own Content-Security-Policy.
// oxlint-disable-next-line no-new-func, typescript/no-implied-eval
const loadAxe = new Function(axeSource) as () => void;

/** The rules that depend on the theme. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Colors that fade have no contrast yet. */
function stopTransitions(): void {
  const style = new CSSStyleSheet();
  style.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets = [style];
}

/** Runs axe in this theme. Leaves out frames, which show public pages and ads. */
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

async function findViolations(page: EnginePage): Promise<string[]> {
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

/** Leaves out pages about a single item, except the page of a video. */
const paths = adminPages
  .map(({ href }) => href)
  .filter((href) => !href.includes("/:id") || href === "/admin/videos/:id");

export function officeAccessibilityTests(site: EngineSite): void {
  it.each(paths)("shows nothing that axe objects to at %s, in both themes", async (path) => {
    const { json } = await site.admin.call("GET", "/api/videos?search=northern");
    const page = await site.openAdmin(path.replace(":id", json.videos[0].id));
    await waitFor(
      page,
      () =>
        document.querySelector("main h1") !== null &&
        document.querySelector("main [aria-busy=true], main .skeleton, main .spinner") === null,
    );
    expect(await findViolations(page)).toEqual([]);
  });
}
