import { expect, it } from "vitest";
import { cards, scrolledTo, usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

it("loads more on scrolling, and returns to the same place on Back", async () => {
  const { page } = await site.visit("/home");
  await page.waitForFunction(() => document.readyState === "complete");
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => cards(page).count()).toBeGreaterThan(12);
  const target = cards(page).nth(14);
  await target.scrollIntoViewIfNeeded();
  const title = (await target.innerText()).match(/Study \d+/)?.[0];
  const count = await cards(page).count();
  const place = await scrolledTo(page);
  await target.click();
  await page.waitForURL("**/video/**");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await expect.poll(() => scrolledTo(page)).toBe(0);
  await page.goBack();
  await page.waitForURL("**/home");
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(count);
  await expect.poll(() => scrolledTo(page)).toBe(place);
});
