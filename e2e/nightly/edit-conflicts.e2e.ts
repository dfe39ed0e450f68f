import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { phone, provoked } from "../support/browser.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite();

/** Creates an API client for another user. */
async function openOther() {
  const client = createClient(site.url, await site.app.signIn());
  return async (method: string, path: string, body?: object) => {
    const response = await client.call(method, path, body);
    expect([path, response.text, response.status < 300]).toEqual([path, response.text, true]);
    return response.json;
  };
}
const open = (path: string) => openAdmin(site.app, { ...phone, path, expectProblems: provoked });
const conflictOf = (page: Page) => page.getByRole("alert", { name: "Edit conflict" });

test("merges different fields and asks about conflicting ones when two users edit a campaign", async () => {
  const other = await openOther();
  const { id: advertiserId } = await other("POST", "/api/advertisers", { name: "Acme" });
  const { id: secondId } = await other("POST", "/api/advertisers", { name: "Bolt" });
  const campaign = { advertiserId, name: "Autumn" };
  const { id } = await other("POST", "/api/campaigns", campaign);
  const { page } = await open("/admin/campaigns");
  await page.getByRole("button", { name: "Edit Autumn" }).click();
  const form = page.getByRole("dialog");

  await other("PUT", `/api/campaigns/${id}`, {
    ...campaign,
    advertiserId: secondId,
    dailyCap: 500,
  });
  await form.getByLabel("Ad rotation").selectOption("weight");
  await form.getByLabel("Advertiser").selectOption({ label: "Acme" });
  await form.getByLabel("Name").fill("Autumn of the second");
  await form.getByRole("button", { name: "Update" }).click();
  await form.waitFor({ state: "detached" });
  const merged = { name: "Autumn of the second", dailyCap: 500, rotation: "weight" };
  await expect
    .poll(async () => (await other("GET", `/api/campaigns/${id}`)).campaign)
    .toMatchObject({ ...merged, advertiserName: "Bolt" });

  await page.getByRole("button", { name: "Edit Autumn of the second" }).click();
  // Sections that contain values are expanded.
  await form.getByLabel("Impressions per day").fill("700");
  await form.getByLabel("Advertiser").selectOption({ label: "Acme" });
  await other("PUT", `/api/campaigns/${id}`, {
    ...campaign,
    ...merged,
    advertiserId: secondId,
    dailyCap: 600,
  });
  await form.getByRole("button", { name: "Update" }).click();
  await conflictOf(page).getByText("600", { exact: true }).waitFor();
  await expect.poll(() => form.getByRole("button", { name: "Update" }).isDisabled()).toBe(true);
  await conflictOf(page)
    .getByRole("button", { name: "Use theirs: Impressions per day" })
    .press("Enter");
  await form.getByRole("button", { name: "Update" }).click();
  await form.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await other("GET", `/api/campaigns/${id}`)).campaign)
    .toMatchObject({ ...merged, dailyCap: 600, advertiserName: "Acme" });

  // The same rule applies to advertisers.
  await page.goto("/admin/campaigns/advertisers");
  await page.getByRole("button", { name: "Edit Bolt" }).click();
  await other("PUT", `/api/advertisers/${secondId}`, { name: "Bolt", contact: "ada@example.com" });
  await form.getByLabel("Notes").fill("Calls on Mondays");
  await form.getByRole("button", { name: "Update" }).click();
  await page.getByRole("row", { name: /Bolt.*ada@example\.com.*Calls on Mondays/ }).waitFor();
});

test("refuses to approve an ad that changed after it was displayed", async () => {
  const other = await openOther();
  const { id } = await other("POST", "/api/ads", {
    title: "Coats",
    type: "banner",
    placement: "header",
  });
  await other("PUT", `/api/ads/${id}`, { isApproved: false });
  const { page } = await open("/admin/ads");
  const approve = page.getByRole("button", { name: "Approve Coats" });
  await approve.waitFor();
  await other("PUT", `/api/ads/${id}`, { description: "Other than it was" });
  await approve.click();
  await page.getByText("The ad changed after you opened it").waitFor();
  expect((await other("GET", `/api/ads/${id}`)).isApproved).toBe(false);
  await page.getByText("Other than it was").waitFor();
  await approve.click();
  await approve.waitFor({ state: "detached" });
  expect(await other("GET", `/api/ads/${id}`)).toMatchObject({
    isApproved: true,
    description: "Other than it was",
  });

  await page.getByRole("button", { name: "Edit Coats" }).click();
  await other("PUT", `/api/ads/${id}`, { title: "Coats and hats", dailyLimit: 50 });
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Hats");
  await form.getByRole("button", { name: "Update" }).click();
  await conflictOf(page).getByRole("button", { name: "Keep mine: Title" }).click();
  await form.getByRole("button", { name: "Update" }).click();
  await form.waitFor({ state: "detached" });
  expect(await other("GET", `/api/ads/${id}`)).toMatchObject({ title: "Hats", dailyLimit: 50 });
});

test("preserves settings that were saved in another tab", async () => {
  const other = await openOther();
  const { page } = await open("/admin/settings");
  const name = page.getByLabel("Site Name");
  await name.fill("Mine");
  await page.getByLabel("Site Description").fill("Words of mine");
  await other("POST", "/api/settings", { siteDescription: null, trashDays: 7 });
  const save = page.getByRole("button", { name: "Save Settings" });
  await save.click();
  await page.getByText("Settings saved successfully!").waitFor();
  await expect.poll(() => page.getByLabel("Days to keep deleted videos").inputValue()).toBe("7");
  expect(await other("GET", "/api/settings")).toMatchObject({
    siteName: "Mine",
    siteDescription: "Words of mine",
    trashDays: 7,
  });

  await other("POST", "/api/settings", { siteName: "Theirs" });
  await name.fill("Mine again");
  await save.click();
  await conflictOf(page).getByRole("button", { name: "Use theirs: Site Name" }).click();
  await expect.poll(() => name.inputValue()).toBe("Theirs");
  await conflictOf(page).waitFor({ state: "detached" });
});

test("keeps a country block that another user added while the restrictions were open", async () => {
  const other = await openOther();
  const { id } = await makeVideo(site.app.db, { title: "Harbour", thumbnail_key: null });
  const path = `/api/videos/${id}`;
  const { page } = await open("/admin/videos");
  const dialog = page.getByRole("dialog", { name: "Restrictions" });
  const openDialog = async () => {
    await page.getByRole("button", { name: "More actions for Harbour" }).click();
    await page.getByRole("menuitem", { name: "Restrictions" }).click();
    await dialog.waitFor();
  };
  const save = dialog.getByRole("button", { name: "Save" });
  await openDialog();
  await other("PUT", path, { blockedCountries: ["DE"] });
  await dialog.getByLabel("Sensitive").check();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  const merged = { isSensitive: true, blockedCountries: ["DE"] };
  expect(await other("GET", path)).toMatchObject(merged);

  await page.reload();
  await openDialog();
  await other("PUT", path, { blockedCountries: ["DE", "FR"] });
  await dialog.getByLabel("Blocked countries").fill("us");
  await save.click();
  await conflictOf(page).getByText("DE, FR").waitFor();
  expect(await other("GET", path)).toMatchObject({ blockedCountries: ["DE", "FR"] });
  await conflictOf(page).getByRole("button", { name: "Keep mine: Blocked countries" }).click();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  expect(await other("GET", path)).toMatchObject({ isSensitive: true, blockedCountries: ["US"] });
});
