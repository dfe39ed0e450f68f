import { expect, it } from "vitest";
import type { EngineSite } from "../support/engine-site.ts";
import { heading, waitForHydration } from "../support/screen.ts";

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

export function pageTests(site: EngineSite): void {
  it.each(["phone", "laptop"] as const)("hydrates every public screen at %s", async (size) => {
    const page = await site.open("/home", { size });
    const wide: string[] = [];
    for (const [path, title] of screens) {
      await page.goto(path);
      await waitForHydration(page);
      if (title !== null) expect(await heading(page)).toContain(title);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) {
        wide.push(path);
      }
    }
    expect(wide).toEqual([]);
    expect(page.problems).toEqual([]);
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

  it("writes ages in Arabic", async () => {
    const page = await site.open("/ar/home");
    await waitForHydration(page);
    const card = await page.evaluate(
      () => document.querySelector("a[href='/ar/video/northern-lights']")?.textContent ?? "",
    );
    expect(card).toContain("قبل 3 أيام");
  });
}
