import { describe, expect, it } from "vitest";
import { expectAccessibleInBothSchemes, expectTouchTargets } from "../support/accessible.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { serveThumbnails, usePublicSite } from "../support/public-site.ts";
import { openVisitor, screens } from "../support/browser.ts";

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
  "/report/study-30",
  "/takedown",
  "/privacy",
  "/favorites",
  "/library",
  "/auth/signin",
  "/setup?token=x",
  "/nothing/here",
  "/embed/study-30",
];

const site = usePublicSite();

/** Opens a page on a phone, with the sum of its layout shifts. */
async function openOnPhone(path: string) {
  const visitor = await openVisitor(site.url, {
    viewport: screens.phone,
    hasTouch: true,
    expectProblems: /./,
  });
  const { page } = visitor;
  await serveThumbnails(page);
  const shifts = await noteLayoutShifts(page);
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  return { page, shifts, close: visitor.close };
}

describe("accessibility and layout", () => {
  // Loading a page costs more than checking it, so each is loaded once for all checks.
  it.each(pages)(
    "renders %s without layout shifts or sideways scrolling, with touch targets of at least 24 px, and passes axe, dark and light",
    async (path) => {
      const { page, shifts, close } = await openOnPhone(path);
      await page.waitForTimeout(700);
      expect(await shifts()).toBeLessThan(0.02);
      await expectTouchTargets(page);

      for (const width of [screens.phone.width, 320]) {
        await page.setViewportSize({ width, height: 640 });
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          .toBeLessThanOrEqual(0);
      }

      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.setViewportSize(screens.laptop);
      await expectAccessibleInBothSchemes(page);
      await close();
    },
  );

  it("has touch targets of at least 24 px on /feed", async () => {
    const { page, close } = await openOnPhone("/feed");
    await expectTouchTargets(page);
    await close();
  });
});

// The videos of this site have no files.
it.each(["/video/study-30", "/feed/study-30"])(
  "keeps Try Again clear of controls and text on a phone, in portrait and landscape, at %s",
  async (path) => {
    const { page, close } = await openOnPhone(path);
    const { width, height } = screens.phone;
    await page.getByRole("button", { name: "Try Again" }).first().waitFor();
    await expectTouchTargets(page);
    await page.setViewportSize({ width: height, height: width });
    await expectTouchTargets(page);
    await close();
  },
);

describe("keyboard", () => {
  it("skips to the content, and reaches every visible control of the bar", async () => {
    const visitor = await openVisitor(site.url);
    await serveThumbnails(visitor.page);
    const { page } = visitor;
    await page.goto("/home");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    const seen = new Set<string>();
    const ringless: string[] = [];
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return null;
        const name = (element.getAttribute("aria-label") ?? element.innerText).trim();
        const hasRing = getComputedStyle(element).outlineStyle !== "none";
        return { name: name.split("\n")[0] ?? "", html: element.outerHTML.slice(0, 80), hasRing };
      });
      if (focused === null) continue;
      seen.add(focused.name);
      if (!focused.hasRing) ringless.push(focused.html);
    }
    expect(ringless).toEqual([]);
    for (const name of ["Home", "Categories", "Actors", "Tags", "Trending", "Sign In", "Newest"]) {
      expect(seen).toContain(name);
    }
    await visitor.close();
  });
});
