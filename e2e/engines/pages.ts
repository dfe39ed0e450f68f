import { expect, it } from "vitest";
import { measureOverflowPx } from "../support/page-width.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { heading, waitFor, waitForHydration } from "./support/screen.ts";

type Screen = readonly [path: string, title: string];

/** Public pages by their address, with a part of their heading. */
const screens: readonly Screen[] = [
  ["/feed", ""],
  ["/ar/home", ""],
  ["/search?search=north", ""],
  ["/library", ""],
  ["/video/northern-lights", "Northern lights"],
  // Opens in English, like all pages of the back office.
  ["/ar/auth/signin?next=1", "Sign in"],
];
const otherScreens: readonly Screen[] = [
  ["/home", ""],
  ["/trending", "Trending"],
  ["/categories", "Categories"],
  ["/tags/slow", ""],
  ["/favorites", ""],
  ["/report/clip-1", ""],
  ["/privacy", ""],
  ["/video/none", ""],
];

async function expectScreensHydrate(site: EngineSite, visited: readonly Screen[]) {
  site.expectProblems(/status of 404/);
  const page = await site.open("/home", { size: "phone" });
  const wide: string[] = [];
  for (const [path, title] of visited) {
    await page.goto(path);
    await waitForHydration(page);
    expect(await heading(page)).toContain(title);
    if ((await page.evaluate(measureOverflowPx)) > 0) wide.push(path);
  }
  expect(wide).toEqual([]);
  return page;
}

export function testOtherPages(site: EngineSite): void {
  it("hydrates the other public screens, which fit a phone", async () => {
    await expectScreensHydrate(site, otherScreens);
  });
}

export function testPages(site: EngineSite): void {
  it("hydrates public screens, which fit a phone", async () => {
    const page = await expectScreensHydrate(site, screens);
    await page.goto("/ar/home");
    const card = () => document.querySelector("a[href='/ar/video/northern-lights']")?.textContent;
    expect(await page.evaluate(card)).toContain("قبل 3 أيام");
    await page.goto("/ar/library#follows");
    await waitFor(page, () => {
      const tab = document.querySelector("main nav [aria-current]")?.getBoundingClientRect();
      return tab !== undefined && tab.left >= -0.5 && tab.right <= innerWidth + 0.5;
    });
  });

  it("draws controls, frames and popups in the theme's colors and sizes", async () => {
    const page = await site.open("/report/clip-1", { size: "phone" });
    await waitForHydration(page);
    const choices = () =>
      [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")].map((choice, index) => {
        choice.checked = index === 0;
        const { appearance, borderTopWidth } = getComputedStyle(choice);
        return { appearance, borderPx: parseFloat(borderTopWidth) };
      });
    const [chosen, ...others] = await page.evaluate(choices);
    expect(chosen?.borderPx).toBe(6);
    // WebKitGTK fills empty native radio buttons with white, and with black if they have an accent.
    expect(others.length).toBeGreaterThan(0);
    for (const { appearance, borderPx } of others) {
      expect(appearance).toBe("none");
      expect(borderPx).toBeLessThan(2);
    }

    await page.goto("/embed/northern-lights");
    await waitForHydration(page);
    // A frame on another site has no scrollbar.
    const widths = () => [document.documentElement.clientWidth, innerWidth];
    const [available, whole] = await page.evaluate(widths);
    expect(available).toBe(whole);

    const popup = { type: "popup", placement: "footer", linkUrl: "https://example.com/" };
    await site.withAd({ title: "A popup", ...popup }, async () => {
      await page.goto("/home");
      // The margins are equal, even if the scrollbar takes up space.
      const gaps = await waitFor(page, () => {
        const box = document.querySelector("body > .spot-popup")?.getBoundingClientRect();
        if (box === undefined) return null;
        return [box.left, document.documentElement.clientWidth - box.right];
      });
      expect(gaps).toEqual([16, 16]);
    });
  });

  it("shows the whole text of each search filter on a tablet", async () => {
    const page = await site.open("/search?search=north", { size: "tablet" });
    await waitForHydration(page);
    const missingWidths = () =>
      [...document.querySelectorAll<HTMLSelectElement>("main select")].map((filter) => {
        const complete = filter.cloneNode(true) as HTMLSelectElement;
        Object.assign(complete.style, { position: "absolute", width: "max-content" });
        filter.after(complete);
        const missing = complete.offsetWidth - filter.offsetWidth;
        complete.remove();
        return missing;
      });
    expect(await page.evaluate(missingWidths)).toEqual([0, 0, 0, 0, 0]);
  });
}
