import { expect, test } from "vitest";
import { cards, usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

/** Opens a page whose scripts are held back until `release` is called. */
async function visitBeforeScripts(path: string) {
  const { page } = await site.visit("about:blank");
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(site.url + path, { waitUntil: "commit" });
  return { page, release: scripts.resolve };
}

test("shows suggestions in a search box focused before the scripts have loaded", async () => {
  const { page, release } = await visitBeforeScripts("/trending");
  const box = page.locator("header").getByRole("combobox", { name: "Search videos" });
  await box.pressSequentially("study 12");
  release();
  await page
    .locator("header")
    .getByRole("listbox", { includeHidden: true })
    .waitFor({ state: "attached" });
  await page.getByRole("option", { name: "Study 12" }).waitFor();
  await box.press("Enter");
  await page.waitForURL("**/home?search=study%2012");
});

test("searches for text typed into the home page before the scripts have loaded", async () => {
  const { page, release } = await visitBeforeScripts("/home");
  await page.locator("#filter-search").pressSequentially("study 12");
  release();
  await page.waitForURL("**/home?search=study*12");
  await cards(page).first().getByText("Study 12", { exact: true }).waitFor();
});

test("searches for text typed into the search page before the scripts have loaded", async () => {
  const { page, release } = await visitBeforeScripts("/search?search=study");
  const box = page.locator("main").getByRole("combobox", { name: "Search videos" });
  await box.press("End");
  await box.pressSequentially(" 12");
  release();
  await page.locator("main").getByRole("listbox", { includeHidden: true }).waitFor({
    state: "attached",
  });
  await box.press("Enter");
  await page.waitForURL("**/search?search=study*12");
  await cards(page).first().getByText("Study 12", { exact: true }).waitFor();
});

test("applies a search filter chosen before the scripts have loaded", async () => {
  const { page, release } = await visitBeforeScripts("/search?search=study");
  const category = page.getByRole("form", { name: "Filters" }).getByLabel("Category");
  await category.selectOption("Teen");
  release();
  await page.waitForURL("**/search?search=study&category=Teen");
  await expect.poll(() => cards(page).count()).toBe(6);
  await expect.poll(() => category.inputValue()).toBe("Teen");
});

test("acts on a button clicked before the scripts have loaded", async () => {
  const { page, release } = await visitBeforeScripts("/trending");
  await page.getByRole("button", { name: /^Theme/ }).click();
  release();
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
});
