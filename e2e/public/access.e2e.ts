import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../test/app.ts";
import { serveThumbnails, startPublicSite } from "../support/public-site.ts";
import { newVisitor, screens } from "../support/browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";

const axeSource = await readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const pages = [
  "/home",
  "/home?search=study&category=Teen",
  "/home?search=zzzzqqqq",
  "/trending",
  "/categories",
  "/tags",
  "/actors",
  "/categories/fractals",
  "/tags/slow",
  "/actors/ada-loom",
  "/video/study-30",
  "/video/there-is-none",
  "/search",
  "/search?search=study",
  "/favorites",
  "/auth/signin",
  "/setup?token=x",
  "/nothing/here",
  "/embed/study-30",
];

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startPublicSite();
  browser = await launchChromium({ canAutoplayWithSound: true });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

interface Finding {
  id: string;
  nodes: { target: unknown }[];
}

describe.each(["dark", "light"] as const)("axe finds nothing, %s", (colorScheme) => {
  it.each(pages)("%s", async (path) => {
    const visitor = await newVisitor(browser, app.url, {
      colorScheme,
      reducedMotion: "reduce",
      expectProblems: /./,
    });
    await serveThumbnails(visitor.page);
    await visitor.page.goto(path);
    await visitor.page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    await visitor.page.waitForTimeout(300);
    await visitor.page.evaluate(axeSource);
    const findings = await visitor.page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: Finding[] }> };
      };
      return (await axe.run()).violations;
    });
    expect(findings.map(({ id, nodes }) => [id, nodes.map((node) => node.target)])).toEqual([]);
    await visitor.close();
  });
});

describe("space and layout shifts", () => {
  it.each(pages)("%s does not scroll sideways at 320 pixels", async (path) => {
    const visitor = await newVisitor(browser, app.url, {
      viewport: { width: 320, height: 640 },
      expectProblems: /./,
    });
    await serveThumbnails(visitor.page);
    await visitor.page.goto(path);
    const excess = await visitor.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(excess).toBeLessThanOrEqual(0);
    await visitor.close();
  });

  it.each(pages)("%s does not shift while it loads", async (path) => {
    const visitor = await newVisitor(browser, app.url, {
      viewport: screens.phone,
      expectProblems: /./,
    });
    await serveThumbnails(visitor.page);
    await visitor.page.addInitScript(() => {
      const record = globalThis as unknown as { shift: number };
      record.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as unknown as {
            value: number;
            hadRecentInput: boolean;
          };
          if (!hadRecentInput) record.shift += value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await visitor.page.goto(path, { waitUntil: "load" });
    await visitor.page.waitForTimeout(700);
    const shift = await visitor.page.evaluate(
      () => (globalThis as unknown as { shift: number }).shift,
    );
    expect(shift).toBeLessThan(0.02);
    await visitor.close();
  });
});

describe("keyboard", () => {
  it("skips to the content, and every control of the bar can be reached and seen", async () => {
    const visitor = await newVisitor(browser, app.url);
    await serveThumbnails(visitor.page);
    const { page } = visitor;
    await page.goto("/home");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    const seen = new Set<string>();
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return "";
        const { outlineStyle, borderColor } = getComputedStyle(element);
        const isVisible = outlineStyle !== "none" || borderColor !== "rgba(0, 0, 0, 0)";
        return isVisible ? (element.getAttribute("aria-label") ?? element.innerText).trim() : "";
      });
      seen.add(name.split("\n")[0] ?? "");
    }
    for (const name of ["Home", "Categories", "Actors", "Tags", "Trending", "Sign In", "Newest"]) {
      expect(seen).toContain(name);
    }
    await visitor.close();
  });
});
