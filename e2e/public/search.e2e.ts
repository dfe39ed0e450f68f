import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { screens } from "../support/browser.ts";
import { cards, usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

const searchBox = (page: Page) =>
  page.locator("main").getByRole("combobox", { name: "Search videos" });
const mainBox = (page: Page) =>
  page.locator("header").getByRole("combobox", { name: "Search videos" });
/** From then on, the suggestions react to input. */
const listIsThere = (page: Page) =>
  page
    .locator("header")
    .getByRole("listbox", { includeHidden: true })
    .waitFor({ state: "attached" });

describe("main search box", () => {
  it("works by touch in a phone's menu", async () => {
    const { page } = await site.visit("/trending", { viewport: screens.phone, hasTouch: true });
    await page.getByRole("navigation", { name: "Main" }).getByLabel("Menu").tap();
    const box = mainBox(page);
    await box.tap();
    await listIsThere(page);
    await box.pressSequentially("ada");
    await page.getByRole("option", { name: /Ada Loom/ }).tap();
    await page.waitForURL("**/actors/ada-loom");
  });

  it("offers recent searches of this browser until they are cleared", async () => {
    const { page } = await site.visit("/trending");
    const box = mainBox(page);
    await box.focus();
    await listIsThere(page);
    await box.fill("study 12");
    await box.press("Enter");
    await page.waitForURL("**/home?search=study%2012");
    await box.blur();
    await box.focus();
    await page.getByRole("option", { name: "study 12" }).waitFor();
    await page.getByRole("option", { name: "Clear recent searches" }).click();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("kinora.searches")))
      .toBe(null);
    await page.reload();
    await box.focus();
    await listIsThere(page);
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
  });
});

describe("results", () => {
  it("stores filters and order in the URL", async () => {
    const { page } = await site.visit("/search?search=study");
    const filter = (label: string) => page.getByRole("form", { name: "Filters" }).getByLabel(label);
    await filter("Category").selectOption("Teen");
    await page.waitForURL("**/search?search=study&category=Teen");
    await expect.poll(() => cards(page).count()).toBe(6);
    await filter("Sort by").selectOption("Most viewed");
    await page.waitForURL("**/search?search=study&category=Teen&sort=most_viewed");
    await cards(page).first().getByText("Study 5", { exact: true }).waitFor();
    await filter("Length").selectOption("Over 20 minutes");
    await page.waitForURL("**length=long**");
    await page.getByText("No videos found").waitFor();
    expect(await page.getByText("0 videos").and(page.locator(":not(.sr-only)")).count()).toBe(0);
    await page.goBack();
    await expect.poll(() => cards(page).count()).toBe(6);
    await expect.poll(() => filter("Length").inputValue()).toBe("");
    await filter("Quality").selectOption("4K");
    await page.getByRole("link", { name: "Search without filters" }).click();
    await page.waitForURL("**/search?search=study");
    await expect.poll(() => cards(page).count()).toBe(12);
  });

  it("filters results without scripts", async () => {
    const { page } = await site.visit("/search?search=study&category=Teen", {
      javaScriptEnabled: false,
    });
    await expect.poll(() => cards(page).count()).toBe(6);
    await page.getByLabel("Quality").selectOption("Full HD and better");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL("**quality=full_hd**");
    expect(new URL(page.url()).searchParams.get("category")).toBe("Teen");
    await expect.poll(() => cards(page).count()).toBe(0);
  });

  it.each(["/search", "/home"])(
    "highlights matches and suggests a correction at %s",
    async (path) => {
      const { page } = await site.visit(`${path}?search=studdy%2012`);
      await page.getByText("No videos match “studdy 12” exactly.").waitFor();
      await expect
        .poll(() => cards(page).first().locator("mark").allInnerTexts())
        .toEqual(["Study", "12"]);
      await page.locator("main").getByRole("link", { name: "study 12", exact: true }).click();
      await page.waitForURL(`**${path}?search=study**12`);
      await expect.poll(() => page.getByText("Did you mean").count()).toBe(0);
      await cards(page).first().locator("mark", { hasText: "Study" }).waitFor();
    },
  );
});

describe("search page", () => {
  it("works without scripts", async () => {
    const { page } = await site.visit("/search", { javaScriptEnabled: false });
    await searchBox(page).fill("Study 12");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?search=Study+12");
    await expect.poll(() => cards(page).count()).toBeGreaterThan(0);
  });
});
