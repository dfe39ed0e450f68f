import { describe, expect, it } from "vitest";
import { layoutShiftSoFar } from "../support/layout-shifts.ts";
import { cards, scrolledTo, usePublicSite, videoCount } from "../support/public-site.ts";
import { arabic, languages } from "../support/languages.ts";
import { openVisitor, screens } from "../support/browser.ts";

const site = usePublicSite();

describe("home listing", () => {
  it("applies a theme change at once under reduced motion, even in nested text", async () => {
    const { page } = await site.visit("/home", { reducedMotion: "reduce", colorScheme: "dark" });
    const [before, after] = await page
      .locator("main li a")
      .first()
      .evaluate((card) => {
        const text = card.querySelector("bdi") ?? card;
        const dark = getComputedStyle(text).color;
        document.documentElement.dataset["theme"] = "light";
        return [dark, getComputedStyle(text).color];
      });
    expect(after).not.toBe(before);
  });

  it("matches the browser's bars to the chosen theme", async () => {
    const { page } = await site.visit("/home", { colorScheme: "dark" });
    const colors = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")]
          .filter(({ media }) => matchMedia(media).matches)
          .map(({ content }) => content),
      );
    const [dark, light] = ["#0d0e12", "#fbf9f5"];
    const button = page.getByRole("button", { name: /^Theme/ });
    expect(await colors()).toEqual([dark]);
    await button.and(page.getByLabel("Theme: Automatic")).click();
    await button.and(page.getByLabel("Theme: Dark")).click();
    await expect.poll(colors).toEqual([light]);
    await page.reload();
    expect(await colors()).toEqual([light]);
    await button.and(page.getByLabel("Theme: Light")).click();
    await expect.poll(colors).toEqual([dark]);
  });

  it("shows selected items, borders and focus rings in forced colors", async () => {
    const { page } = await site.visit("/home", { forcedColors: "active" });
    const current = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
      name: "Home",
      exact: true,
    });
    const backgroundOf = (element: typeof current) =>
      element.evaluate((found) => getComputedStyle(found).backgroundColor);
    const others = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
      name: "Tags",
    });
    expect(await backgroundOf(current)).not.toBe(await backgroundOf(others));
    await page
      .getByRole("button", { name: /^Save / })
      .first()
      .click();
    const [first, second] = [
      page.getByRole("menuitemcheckbox").first(),
      page.getByRole("menuitem").first(),
    ];
    await first.waitFor();
    await page.keyboard.press("End");
    await expect
      .poll(async () => (await backgroundOf(second)) !== (await backgroundOf(first)))
      .toBe(true);
    await page.keyboard.press("Escape");
    const theme = page.getByRole("button", { name: /^Theme/ });
    const ringOf = () => theme.evaluate((found) => getComputedStyle(found).outlineWidth);
    expect(await ringOf()).toBe("1px");
    await theme.focus();
    expect(await ringOf()).toBe("2px");
  });

  it("includes the twelve newest videos in the HTML", async () => {
    const html = await (await fetch(`${site.url}/home`)).text();
    const titles = [...html.matchAll(/>Study (\d+)</g)].map((match) => Number(match[1]));
    expect(titles).toEqual(Array.from({ length: 12 }, (_, index) => videoCount - index));
  });

  it.each(
    languages.map(({ language, prefix }) => ({
      language,
      prefix,
      counts: prefix === "" ? ["70.0K views", "30 likes"] : ["70 ألف مشاهدة", "30 إعجابًا"],
      age: prefix === "" ? /\d+ (hour|minute)s? ago/ : /قبل/,
    })),
  )(
    "shows thumbnail, duration, category, counts and age on a card in $language",
    async (expected) => {
      const { prefix, counts, age } = expected;
      const { page } = await site.visit(`${prefix}/home`);
      const card = cards(page, prefix).first();
      const text = (await card.innerText()).replaceAll(/\s+/g, " ");
      expect(text).toContain("1:30");
      expect(text).toContain("Fractals");
      for (const count of counts) expect(text).toContain(count);
      expect(text).toMatch(age);
      await expect.poll(() => card.locator("img").count()).toBe(1);
    },
  );

  it("shows a placeholder if the picture fails", async () => {
    const { page } = await openVisitor(site.url, { expectProblems: /404|Failed to load/ });
    await page.goto("/home");
    await cards(page).first().locator("[data-placeholder]").waitFor();
  });

  it.each([
    [screens.phone.width, 2],
    [700, 3],
    [screens.laptop.width, 4],
  ])("shows, at a width of %d px, %d columns", async (width, columns) => {
    const { page } = await site.visit("/home", { viewport: { width, height: 900 } });
    const tops = await cards(page).evaluateAll((list) =>
      list.map((card) => Math.round(card.getBoundingClientRect().top)),
    );
    expect(tops.filter((top) => top === tops[0])).toHaveLength(columns);
  });

  it("opens pages of the tab at their top with a new list, and restores them on Back", async () => {
    const { page } = await site.visit("/home");
    const waitForScripts = () =>
      page.waitForFunction(() =>
        Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
      );
    await page.waitForFunction(() => document.readyState === "complete");
    await page.mouse.wheel(0, 3000);
    await expect.poll(() => cards(page).count()).toBeGreaterThan(12);
    const count = await cards(page).count();
    await page.goto("/ar/home");
    await waitForScripts();
    await expect.poll(() => cards(page, "/ar").first().innerText()).toContain("قبل");
    expect(await cards(page, "/ar").count()).toBe(12);
    expect(await page.locator("main").innerText()).not.toContain(" ago");
    expect(await scrolledTo(page)).toBe(0);
    await page.goBack();
    await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(count);
    await expect.poll(() => scrolledTo(page)).toBeGreaterThan(0);
    await page.goto("/home");
    await waitForScripts();
    expect(await cards(page).count()).toBe(12);
    expect(await scrolledTo(page)).toBe(0);
  });

  it("opens at / with a search, category or sort in the URL", async () => {
    const { page } = await site.visit("/?category=Teen");
    await page.getByRole("heading", { level: 1, name: "Teen" }).waitFor();
    await expect.poll(() => cards(page).count()).toBe(6);
  });

  it("searches from the navigation bar, trimmed and encoded, and ignores blank input", async () => {
    const { page } = await site.visit("/trending");
    const box = page.getByRole("combobox", { name: "Search videos" }).first();
    await box.fill("   ");
    await box.press("Enter");
    expect(new URL(page.url()).pathname).toBe("/trending");
    await box.fill("  Study 7 & more ");
    await box.press("Enter");
    await page.waitForURL("**/home?search=Study%207%20%26%20more");
    await expect.poll(() => box.inputValue()).toBe("");
  });

  it("reports in Arabic that fetching videos failed, and retries without filters", async () => {
    const { prefix, texts } = arabic;
    const { layout, sorts, videos } = texts;
    const { page } = await site.visit(`${prefix}/trending`, {
      expectProblems: /503|videos failed/,
    });
    let asked = "";
    let isBroken = true;
    await page.route("**/api/videos?*", (route) => {
      asked = route.request().url();
      return isBroken
        ? route.fulfill({
            status: 503,
            json: { message: "no", code: "unavailable", requestId: "x" },
          })
        : route.fallback();
    });
    await page.getByRole("link", { name: layout.home }).first().click();
    await page.getByText(videos.fetchFailedWith(503)).waitFor();
    await page.getByRole("button", { name: sorts.top_rated }).click();
    await page.waitForURL(`**${prefix}/home?sort=top_rated`);
    await page.getByText(videos.fetchFailedWith(503)).waitFor();
    isBroken = false;
    await page.getByRole("button", { name: videos.tryAgain }).click();
    await expect.poll(() => cards(page, prefix).count()).toBe(12);
    const query = new URL(asked).searchParams;
    expect(Object.fromEntries(query)).toEqual({ published: "true", limit: "12", sort: "newest" });
    expect(page.url()).toBe(`${site.url}${prefix}/home`);
    await expect
      .poll(() => page.getByRole("button", { name: sorts.newest }).getAttribute("aria-pressed"))
      .toBe("true");
  });

  it("works without scripts in Arabic: list, Load more, chips and search", async () => {
    const { prefix, texts } = arabic;
    const { home, sorts, videos } = texts;
    const { page } = await site.visit(`${prefix}/home`, { javaScriptEnabled: false });
    await expect.poll(() => cards(page, prefix).count()).toBe(12);
    await page.getByRole("link", { name: videos.loadMore }).click();
    await page.waitForURL("**cursor=**");
    await expect.poll(() => cards(page, prefix).first().innerText()).toContain("Study 18");
    await page.goto(`${prefix}/home`);
    await expect.poll(() => page.locator("button[type=button]:visible").count()).toBe(0);
    expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
    await page.getByRole("button", { name: "Teen" }).click();
    await page.waitForURL(`**${prefix}/home?category=Teen`);
    await page.goto(`${prefix}/home`);
    await page.getByRole("button", { name: sorts.top_rated }).click();
    await page.waitForURL(`**${prefix}/home?sort=top_rated`);
    await page.getByRole("searchbox", { name: home.searchLabel }).last().fill("Study 9");
    await page.keyboard.press("Enter");
    await page.waitForURL("**search=Study+9**");
    await expect.poll(() => cards(page, prefix).count()).toBeGreaterThan(0);
    await cards(page, prefix).first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
  });
});
