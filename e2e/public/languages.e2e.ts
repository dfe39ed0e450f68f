import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

const german = { locale: "de-DE" };
const pathOf = (page: Page) => page.evaluate(() => location.pathname + location.search);
const lang = (page: Page) => page.evaluate(() => document.documentElement.lang);
const cardsIn = (page: Page, prefix: string) =>
  page.locator(`main ul > li > a[href^='${prefix}/video/']`);

it("serves a browser that asks for German the German page, with German counts, ages and plurals", async () => {
  await using visitor = await site.visit("/home?sort=most_viewed", german);
  const { page } = visitor;
  await page.waitForURL("**/de/home?sort=most_viewed");
  await expect.poll(() => lang(page)).toBe("de");
  await expect.poll(() => page.title()).toContain("Startseite");
  const card = cardsIn(page, "/de").first();
  await card.waitFor();
  const text = (await card.innerText()).replaceAll(/\s+/g, " ");
  expect(text).toContain("99.000 Aufrufe");
  expect(text).toContain("1 Like");
  expect(text).toMatch(/vor \d+ (Tag|Tagen|Stunden)/);
  await page.getByRole("button", { name: "Im Trend" }).click();
  await page.waitForURL("**/de/home?sort=trending");
});

it.each([
  { name: "Deutsch", code: "de", direction: "ltr", title: "Tags" },
  { name: "العربية", code: "ar", direction: "rtl", title: "الوسوم" },
])(
  "switches to $name in the footer, remembers it, and links every page to all languages",
  async (chosen) => {
    const { name, code, direction, title } = chosen;
    const { page } = await site.visit("/tags", { locale: "en-US" });
    await expect.poll(() => pathOf(page)).toBe("/tags");
    const alternates = await page
      .locator("link[rel=alternate][hreflang]")
      .evaluateAll((links) =>
        Object.fromEntries(
          links.map((link) => [
            link.getAttribute("hreflang"),
            URL.parse(link.getAttribute("href") ?? "")?.pathname,
          ]),
        ),
      );
    expect(alternates).toMatchObject({ en: "/tags", de: "/de/tags", ar: "/ar/tags" });
    expect(alternates["x-default"]).toBe("/tags");
    await page.getByRole("contentinfo").getByRole("link", { name }).click();
    await page.waitForURL(`**/${code}/tags`);
    const canonical = page.locator("link[rel=canonical]");
    await expect
      .poll(async () => (await canonical.getAttribute("href"))?.endsWith(`/${code}/tags`))
      .toBe(true);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await expect.poll(() => lang(page)).toBe(code);
    await expect
      .poll(() => page.locator("html").evaluate((one) => getComputedStyle(one).direction))
      .toBe(direction);
    // The visitor's choice overrides the browser's language on every URL without a language.
    await page.goto("/home");
    await page.waitForURL(`**/${code}/home`);
    await page.getByRole("contentinfo").getByRole("link", { name: "English" }).click();
    await page.waitForURL((url) => url.pathname === "/home");
    await page.goto("/categories");
    await page.getByRole("heading", { level: 1, name: "Categories" }).waitFor();
  },
);

it("keeps a search, a video and the library in German from page to page", async () => {
  const { page } = await site.visit("/de/search", {
    ...german,
    expectProblems: /media|MEDIA_ERR|NotSupportedError|play|404/i,
  });
  const box = page.locator("main").getByRole("combobox", { name: "Videos suchen" });
  await box.fill("study 12");
  await box.press("Enter");
  await page.waitForURL("**/de/search?search=study%2012");
  await page.getByRole("heading", { level: 1, name: "Ergebnisse für „study 12“" }).waitFor();
  await page.getByRole("status").filter({ hasText: "Video" }).first().waitFor();
  await cardsIn(page, "/de").filter({ hasText: "Study 12" }).first().click();
  await page.waitForURL("**/de/video/study-12");
  await page.getByText("88.000 Aufrufe").first().waitFor();
  const date = new Intl.DateTimeFormat("de", { dateStyle: "medium", timeZone: "UTC" });
  const published = page.locator("main time").first();
  const at = Date.parse((await published.getAttribute("datetime")) ?? "");
  await expect.poll(() => published.innerText()).toBe(date.format(at));
  await page.getByRole("button", { name: "Mehr zu diesem Video" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Später ansehen" }).click();
  await page.getByText("Zu „Später ansehen“ hinzugefügt").waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "Datenschutz" }).click();
  await page.waitForURL("**/de/privacy");
  await page.getByText("Speicherdauer: 1 Jahr").first().waitFor();
  await page.goto("/de/library");
  await page
    .getByRole("region", { name: "Später ansehen" })
    .getByRole("link", { name: /Study 12/ })
    .waitFor();
  await expect.poll(() => lang(page)).toBe("de");
});

it("serves the feed in German, and a German page for an old or unknown address", async () => {
  await using visitor = await site.visit("/de/feed", {
    ...german,
    expectProblems: /media|MEDIA_ERR|NotSupportedError|play|404/i,
  });
  const { page } = visitor;
  await page
    .getByRole("link", { name: /^Study/ })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Teilen" }).first().waitFor();
  await page.goto("/de/video/no-such-video");
  await page.getByRole("heading", { level: 1, name: "Video nicht gefunden" }).waitFor();
  await page.goto("/de/nothing-here");
  await page.getByRole("heading", { level: 1, name: "Seite nicht gefunden" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Zur Startseite" }).click();
  await page.waitForURL("**/de/home");
});
