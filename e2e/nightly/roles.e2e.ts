import { beforeAll, expect, it } from "vitest";
import { can, type Action } from "#contract/accounts/policy.ts";
import { createClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeCategory } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { usePages } from "../support/shared-site.ts";
import { provoked } from "../support/browser.ts";

/** Each role can open every page that the policy table allows, without denied requests. */

let details = "";

const app = usePages();
beforeAll(async () => {
  const category = await makeCategory(app.db, { name: "Night" });
  const values = { slug: "harbour", title: "Harbour", thumbnail_key: null, progressive_key: null };
  const video = await makeVideo(app.db, values, { categoryIds: [category.id] });
  details = `/admin/videos/${video.id}`;
  await makeAd(app.db, { title: "Autumn sale" });
  const visitor = createClient(app.url);
  await visitor.call("POST", "/api/videos/harbour/reports", { reason: "other", text: "Look" });
});

/** Permission that each page requires, and a text that appears once the page has loaded. */
const pages: [path: () => string, needs: Action, sign: string][] = [
  [() => "/admin", "statistics.read", "Recent Videos"],
  [() => "/admin/videos", "content.read", "Harbour"],
  [() => details, "content.read", "Facts"],
  [() => "/admin/trash", "content.remove", "The trash is empty."],
  [() => "/admin/categories", "content.edit", "/night"],
  [() => "/admin/ads", "ads.read", "Autumn sale"],
  [() => "/admin/campaigns", "ads.read", "Advertisers"],
  [() => "/admin/campaigns/advertisers", "ads.read", "Advertisers"],
  [() => "/admin/campaigns/report", "ads.read", "Export CSV"],
  [() => "/admin/referrals", "referrals.read", "Manage Referrals"],
  [() => "/admin/import", "content.read", "Import and export data as CSV files"],
  [() => "/admin/reports", "reports.read", "1 open report"],
  [() => "/admin/people", "people.manage", "Require two-factor sign-in"],
  [() => "/admin/settings", "settings.edit", "Basic Information"],
  [() => "/admin/storage", "statistics.read", "Largest videos"],
  [() => "/admin/audit", "audit.read", "Who changed what and when"],
  [() => "/admin/account", "statistics.read", "Two-factor sign-in"],
];

it.each(["EDITOR", "MODERATOR", "ANALYST"] as const)("%s", async (role) => {
  const { page } = await openAdmin(app, { role, expectProblems: provoked });
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(new URL(response.url()).pathname);
  });
  for (const [path, needs, sign] of pages) {
    await page.goto(path());
    if (can(role, needs)) {
      await page.getByText(sign).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.getByText(/^Failed to/).count()).toBe(0);
    } else {
      await page.getByRole("heading", { name: "Access Denied" }).waitFor();
    }
  }
  expect(refused).toEqual([]);
  if (can(role, "reports.read")) {
    await page.goto("/admin/reports");
    await page.getByRole("button", { name: "Open the report about Harbour" }).click();
    await page.getByRole("dialog").getByText("Look").waitFor();
    await page.waitForLoadState("networkidle");
    expect(refused).toEqual([]);
  }
});
