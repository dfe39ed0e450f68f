import { expect, it } from "vitest";
import { findViolations } from "../support/axe.ts";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { heading, waitFor, waitForHydration } from "../support/screen.ts";

const screens = [
  ["/feed", null],
  ["/home", null],
  ["/trending", "Trending"],
  ["/categories", "Categories"],
  ["/tags", "Tags"],
  ["/actors", "Actors"],
  ["/categories/ebony", "Ebony"],
  ["/tags/slow", null],
  ["/actors/ada-loom", "Ada Loom"],
  ["/search?search=north", null],
  ["/favorites", null],
  ["/library", null],
  ["/video/northern-lights", "Northern lights"],
  ["/auth/signin", "Sign in"],
] as const;

const forms = [
  ["/report/clip-1", null],
  ["/takedown", null],
  ["/privacy", null],
] as const;

/** Opens each screen, and checks its heading, its width, and whatever `inspect` finds wrong. */
async function visitAll(
  page: EnginePage,
  visited: readonly (readonly [path: string, title: string | null])[],
  inspect: () => Promise<string[]>,
): Promise<void> {
  const wide: string[] = [];
  const findings: Record<string, string[]> = {};
  for (const [path, title] of visited) {
    await page.goto(path);
    await waitForHydration(page);
    if (title !== null) expect(await heading(page)).toContain(title);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) {
      wide.push(path);
    }
    const found = await inspect();
    if (found.length > 0) findings[path] = found;
  }
  expect(wide).toEqual([]);
  expect(findings).toEqual({});
  expect(page.problems).toEqual([]);
}

export function pageTests(site: EngineSite): void {
  it("hydrates every public screen at laptop", async () => {
    const page = await site.open("/home", { size: "laptop" });
    await visitAll(page, screens, () => Promise.resolve([]));
  });

  it("hydrates every public screen at phone, where axe objects to nothing in both themes", async () => {
    const page = await site.open("/home", { size: "phone" });
    await visitAll(page, [...screens, ...forms], () => findViolations(page));
  });

  it.each(["phone", "laptop"] as const)("hydrates missing pages at %s", async (size) => {
    site.expectProblems(/status of 404/);
    const page = await site.open("/home", { size });
    for (const path of ["/wp-login.php", "/history", "/playlists", "/video/none", "/de/nothing"]) {
      await page.goto(path);
      await waitForHydration(page);
      expect(await heading(page)).not.toBe("");
    }
  });

  it("opens pages that are only in English from an address with a language", async () => {
    const page = await site.open("/ar/auth/signin?next=1");
    await waitForHydration(page);
    expect(await page.evaluate(() => location.pathname + location.search)).toBe(
      "/auth/signin?next=1",
    );
    expect(await heading(page)).toBe("Sign in");
  });

  it("shows the active tab of the library in every language at phone", async () => {
    const page = await site.open("/library", { size: "phone" });
    for (const language of ["", "/ar", "/de", "/fr"]) {
      await page.goto(`${language}/library#follows`);
      await waitFor(page, () => {
        const tab = document.querySelector("main nav [aria-current]")?.getBoundingClientRect();
        return tab !== undefined && tab.left >= -0.5 && tab.right <= innerWidth + 0.5;
      });
    }
  });

  it("shows the whole text of each search filter on a tablet", async () => {
    const page = await site.open("/search?search=north", { size: "tablet" });
    await waitForHydration(page);
    const missingWidths = () =>
      [...document.querySelectorAll<HTMLSelectElement>("main select")].map((filter) => {
        const whole = filter.cloneNode(true) as HTMLSelectElement;
        Object.assign(whole.style, { position: "absolute", width: "max-content" });
        filter.after(whole);
        const missing = whole.offsetWidth - filter.offsetWidth;
        whole.remove();
        return missing;
      });
    expect(await page.evaluate(missingWidths)).toEqual([0, 0, 0, 0, 0]);
  });

  it("fills a frame on another site, without a scrollbar", async () => {
    const page = await site.open("/embed/northern-lights", { size: "phone" });
    await waitForHydration(page);
    const widths = () => [document.documentElement.clientWidth, innerWidth];
    const [available, whole] = await page.evaluate(widths);
    expect(available).toBe(whole);
  });

  it("draws unselected choices of a form in the colors of the theme", async () => {
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
  });

  it("writes ages in Arabic", async () => {
    const page = await site.open("/ar/home");
    await waitForHydration(page);
    const card = await page.evaluate(
      () => document.querySelector("a[href='/ar/video/northern-lights']")?.textContent ?? "",
    );
    expect(card).toContain("قبل 3 أيام");
  });
}
