import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { createClient } from "#test/app.ts";
import { useAdsSite, userAgent } from "../support/ads-site.ts";
import { openVisitor, screens, provoked } from "../support/browser.ts";
import { openAdmin } from "../support/admin-support.ts";
import { overflowPx } from "../support/page-width.ts";
import { addClip } from "../support/player-clips.ts";

let page: Page;
let slug: string;

const site = useAdsSite({ type: "banner", placement: "header" }, async (filled) => {
  slug = (await addClip(filled, "wide-0")).slug;
});
const { app, admin } = site;
beforeEach(() => {
  ({ page } = site);
});

/** Adds an ad with HTML to the campaign. */
async function addCreative(office: Page, title: string): Promise<void> {
  await office.getByRole("button", { name: "Add Advertisement" }).click();
  const form = office.getByRole("dialog");
  await form.getByLabel("Title").fill(title);
  await form.getByLabel("Type").selectOption("banner");
  await form.getByLabel("Placement").selectOption("header");
  await form.getByLabel("Campaign").selectOption({ label: "Autumn (Acme)" });
  await form.locator("summary", { hasText: "HTML" }).click();
  await form.getByLabel("Content").fill(`<p>Buy ${title}</p>`);
  // Only the fields scroll. The heading and the buttons stay in place.
  await form.getByText("Preview on").scrollIntoViewIfNeeded();
  await expect.poll(() => form.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await form.getByRole("button", { name: "Create" }).click();
  await office.getByRole("row", { name: new RegExp(title) }).waitFor();
}

/** Returns the value below a label in the totals of a report. */
const figure = (within: Page | Locator, name: string) =>
  within
    .locator("dl div", { has: within.locator("dt").getByText(name, { exact: true }) })
    .locator("dd");

test("runs a campaign with three creatives from its rules to the shared report", async () => {
  const { page: office } = await openAdmin(app, { viewport: screens.laptop });
  await office.goto(`${app.url}/admin/campaigns/advertisers`);
  // Uses the keyboard only.
  await office.getByRole("button", { name: "Add Advertiser" }).press("Enter");
  const form = office.getByRole("dialog");
  await form.getByLabel("Name").pressSequentially("Acme");
  await form.getByLabel("Contact").fill("ada@example.com");
  await form.getByLabel("Name").press("Enter");
  await form.waitFor({ state: "detached" });
  await office.getByRole("row", { name: /Acme.*ada@example\.com.*Not shared/ }).waitFor();

  await office.getByRole("link", { name: "Campaigns", exact: true }).last().click();
  await office.getByRole("button", { name: "Add Campaign" }).click();
  await form.getByLabel("Name").fill("Autumn");
  await form.getByLabel("Advertiser").selectOption({ label: "Acme" });
  await form.getByLabel("Start").fill("2026-01-01T00:00");
  await form.getByLabel("End").fill("2099-01-01T00:00");
  await form.getByLabel("Goal").selectOption("impressions");
  // Even pacing has only released a small part so far, which all requests below share.
  await form.getByLabel("Target number").fill("100000");
  await form.getByLabel("Price").selectOption("cpm");
  await form.getByLabel("Amount").fill("500");
  await form.getByText("Caps and targets").click();
  await form.getByLabel("Languages").fill("xx-wrong language");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByText("must be a language such as en or pt-br").waitFor();
  await form.getByLabel("Languages").fill("de");
  await form.getByLabel("Categories").fill("Sprots");
  await form.getByText("No category has the slug sprots").waitFor();
  await form.getByLabel("Categories").fill("");
  await form.getByRole("button", { name: "Create" }).click();
  await form.waitFor({ state: "detached" });
  await office.getByRole("row", { name: /Autumn.*Running.*Standard/ }).waitFor();

  await office.goto(`${app.url}/admin/ads`);
  for (const title of ["Apples", "Pears"]) await addCreative(office, title);
  const campaignId = (await admin.call("GET", "/api/campaigns")).json.campaigns[0].id;
  const editor = createClient(app.url, await app.signIn("EDITOR"));
  const proposed = { title: "Plums", type: "banner", placement: "header", campaignId };
  expect((await editor.call("POST", "/api/ads", proposed)).status).toBe(201);
  /** Returns the creatives available to a German-speaking visitor. */
  const delivered = async () => {
    const path = "/api/spots/public?placement=header&limit=5";
    const headers = { "user-agent": userAgent, "accept-language": "de" };
    const { ads } = (await createClient(app.url).call("GET", path, undefined, headers)).json;
    return ads.map(({ title }: { title: string }) => title).toSorted();
  };
  for (let at = 0; at < 10; at += 1) expect(await delivered()).not.toContain("Plums");
  await office.reload();
  await office.getByRole("button", { name: "Approve Plums" }).click();
  await office.getByText("Waiting for approval").waitFor({ state: "detached" });
  // The creatives of a campaign rotate.
  for (const title of ["Apples", "Pears", "Plums"]) await expect.poll(delivered).toContain(title);

  // Visitors with another language don't see the ad, and nothing is counted.
  await page.goto(`${app.url}/video/${slug}`);
  await page.locator(".spot[data-slot=header][data-state=empty]").waitFor({ state: "attached" });
  const { page: german } = await openVisitor(app.url, { userAgent, locale: "de-DE" });
  await german.goto(`${app.url}/video/${slug}`);
  await german.locator(".spot[data-slot=header][data-state=shown]").waitFor();
  const impressions = async () =>
    (await admin.call("GET", `/api/campaigns/${campaignId}`)).json.campaign.impressions;
  await expect.poll(impressions).toBe(1);
  const { json: byAd } = await admin.call("GET", "/api/ad-report?group=ad");
  expect(byAd.rows).toMatchObject([{ campaign: "Autumn", advertiser: "Acme", impressions: 1 }]);

  await office.goto(`${app.url}/admin/campaigns/report`);
  await office.getByRole("row", { name: /Autumn/ }).waitFor();
  await expect.poll(() => figure(office, "Impressions").textContent()).toBe("1");
  await expect.poll(() => figure(office, "Revenue").textContent()).toContain("0.50");
  await office.getByRole("row", { name: /Autumn/ }).waitFor();
  await office.goto(`${app.url}/admin/campaigns/${campaignId}`);
  for (const title of ["Apples", "Pears", "Plums"]) {
    await office.getByRole("row", { name: new RegExp(`${title}.*%.*–.*%`) }).waitFor();
  }
  await office.getByText(/On track for \d+% of the goal/).waitFor();
  // On phones, nothing is wider than the screen.
  await office.setViewportSize(screens.phone);
  for (const path of [`/admin/campaigns/${campaignId}`, "/admin/campaigns/report"]) {
    await office.goto(app.url + path);
    await figure(office, "Impressions").waitFor();
    await expect.poll(() => overflowPx(office)).toBe(0);
  }
  // On tablets, the columns of the lists don't overlap.
  await office.setViewportSize(screens.tablet);
  for (const path of ["/admin/ads", "/admin/campaigns"]) {
    await office.goto(app.url + path);
    const table = office.getByRole("table");
    const title = table.getByRole("row").nth(1).getByRole("cell").first();
    await expect.poll(() => title.evaluate((cell) => cell.clientWidth)).toBeGreaterThan(100);
    const spareOf = (shown: Element) =>
      Number(shown.parentElement?.clientWidth) - shown.getBoundingClientRect().width;
    await expect.poll(() => table.evaluate(spareOf)).toBeGreaterThanOrEqual(0);
  }
  await office.setViewportSize(screens.laptop);

  await office.goto(`${app.url}/admin/campaigns/advertisers`);
  await office.getByRole("button", { name: "Share stats for Acme" }).click();
  const address = (await form.getByText("/partner#").textContent()) ?? "";
  const { page: partner } = await openVisitor(app.url, {
    viewport: screens.phone,
    expectProblems: provoked,
  });
  await partner.goto(address);
  await partner.getByRole("heading", { name: "Acme" }).waitFor();
  await expect.poll(() => figure(partner, "Impressions").textContent()).toBe("1");
  await partner.getByRole("row", { name: /Autumn/ }).waitFor();
  await expect.poll(() => overflowPx(partner)).toBe(0);

  await office.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await office.getByRole("button", { name: "Stop sharing stats for Acme" }).click();
  await office.getByRole("button", { name: "Disable link" }).click();
  await office.getByRole("row", { name: /Acme.*Not shared/ }).waitFor();
  await partner.reload();
  await partner.getByText("This link has stopped working.").waitFor();
});
