import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { screens } from "../support/browser.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite(async ({ database: { db } }) => {
  for (let at = 0; at < 12; at += 1)
    await makeVideo(db, { title: `Video ${at}`, thumbnail_key: null });
});

/** Returns the names of controls that a message covers. */
const coveredBy = (page: Page, controls: string) =>
  page.evaluate((query) => {
    const messages = [...document.querySelectorAll(".toast")].map((message) =>
      message.getBoundingClientRect(),
    );
    return [...document.querySelectorAll(query)]
      .filter((control) => control.closest(".toast") === null && control.checkVisibility())
      .filter((control) => {
        const box = control.getBoundingClientRect();
        return messages.some(
          ({ left, right, top, bottom }) =>
            box.left < right && box.right > left && box.top < bottom && box.bottom > top,
        );
      })
      .map((control) => control.textContent || control.getAttribute("aria-label"));
  }, controls);

test("shows failures beside the controls of dialogs and of the bars at the bottom", async () => {
  const { page } = await openAdmin(site.app, { expectProblems: /status of 500/ });
  await page.route("**/api/**", (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 500, json: {} }),
  );
  for (const viewport of [...Object.values(screens), { width: 320, height: 568 }]) {
    await page.setViewportSize(viewport);
    await page.goto("/admin/referrals");
    await page.getByRole("button", { name: "Add Referral" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Spring");
    await dialog.getByLabel("Code").fill("spring");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Failed to create referral").waitFor();
    const inDialog = async () => [
      viewport,
      await coveredBy(page, "[role=dialog] :is(button, input)"),
    ];
    await expect.poll(inDialog).toEqual([viewport, []]);

    await page.goto("/admin/videos");
    const row = page.getByRole("checkbox", { name: "Select Video 3" });
    await row.check();
    const bar = page.getByRole("region", { name: "Bulk actions" });
    await bar.getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish" }).click();
    await page.getByText("Failed to start").waitFor();
    // The bar also appears below a message that is already shown.
    await row.uncheck();
    await row.check();
    await bar.waitFor();
    const onPage = async () => [viewport, await coveredBy(page, ".bulk-bar button")];
    await expect.poll(onPage).toEqual([viewport, []]);
  }
});
