import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cards, usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

const boxIn = (page: Page, part: "header" | "main") =>
  page.locator(part).getByRole("combobox", { name: "Search videos" });

it("focuses on /, suggests despite a typo, and supports the keyboard", async () => {
  const { page } = await site.visit("/trending");
  const box = boxIn(page, "header");
  await expect
    .poll(async () => {
      await page.keyboard.press("/");
      return box.evaluate((field) => field === document.activeElement);
    })
    .toBe(true);
  await box.fill("");
  // From then on, the suggestions react to input.
  await page
    .locator("header")
    .getByRole("listbox", { includeHidden: true })
    .waitFor({ state: "attached" });
  await expect.poll(() => box.getAttribute("aria-expanded")).toBe("false");
  await box.pressSequentially("ada lom");
  const option = page.getByRole("option", { name: /Ada Loom/ });
  await option.waitFor();
  await expect.poll(() => box.getAttribute("aria-expanded")).toBe("true");
  await box.press("ArrowDown");
  await expect
    .poll(() => box.getAttribute("aria-activedescendant"))
    .toBe(await option.getAttribute("id"));
  await expect.poll(() => option.getAttribute("aria-selected")).toBe("true");
  const list = page.locator(`[id="${await box.getAttribute("aria-controls")}"]`);
  await expect.poll(() => list.getAttribute("role")).toBe("listbox");
  await box.press("Escape");
  await option.waitFor({ state: "hidden" });
  await box.press("ArrowDown");
  await option.waitFor();
  await box.press("ArrowDown");
  await expect.poll(() => option.getAttribute("aria-selected")).toBe("true");
  await box.press("Enter");
  await page.waitForURL("**/actors/ada-loom");
});

it("shows results with their number", async () => {
  const { page } = await site.visit("/search");
  await boxIn(page, "main").fill("Study 12");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/search?search=Study%2012");
  await page.getByRole("heading", { level: 1, name: "Results for “Study 12”" }).waitFor();
  await expect.poll(() => cards(page).first().innerText()).toContain("Study 12");
});
