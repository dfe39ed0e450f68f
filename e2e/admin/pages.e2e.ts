import type { Page } from "playwright-core";
import { matchPath } from "react-router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminPages } from "#web/features/admin/admin-pages.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, type Admin } from "../support/admin-support.ts";
import {
  expectAccessible,
  expectContrastInOtherScheme,
  expectTouchTargets,
} from "../support/accessible.ts";
import { screens, provoked } from "../support/browser.ts";
import { expectFitsAtEachTextSize, overflowPx } from "../support/page-width.ts";
import { addCaptions, wholeLine } from "../support/player-clips.ts";
import { usePages } from "../support/shared-site.ts";

/** Every page and dialog of the back office passes axe and doesn't scroll sideways. */

/** Id that all requests for a video use. */
const detailsId = "0198aaaa-0000-7000-8000-000000000001";

const app = usePages({ work: true });
beforeAll(async () => {
  const { db } = app;
  for (let n = 0; n < 9; n += 1) await makeVideo(db, { thumbnail_key: null });
  const category = await makeCategory(db, { name: "Night walks" });
  await makeCategory(db, { name: "Night strolls" });
  const rain = await makeTag(db, { name: "rain", is_series: true });
  await makeTag(db, {
    name: "a-tag-without-any-space-that-is-as-long-as-anyone-would-type",
  });
  await makeActor(db, { name: "Ada" });
  await makeVideo(
    db,
    {
      id: detailsId,
      title: "Playable",
      slug: "playable",
      thumbnail_key: null,
      is_premium: true,
      views: 1234,
    },
    { categoryIds: [category.id], tagIds: [rain.id] },
  );
  await makeVideo(db, {
    title: "Broken",
    status: "failed",
    failure_reason: "It is broken.",
    thumbnail_key: null,
    is_published: false,
  });
  await makeVideo(db, {
    title: "In work",
    status: "processing",
    progress: 0.4,
    thumbnail_key: null,
  });
  await makeAd(db, { title: "Autumn sale", type: "video", placement: "preroll", trust: "page" });
  await makeAd(db, { title: "Switched off", is_active: false });
  const advertiser = { id: "0198aaaa-0000-7000-8000-000000000003", name: "Acme" };
  await db
    .insertInto("advertisers")
    .values({ ...advertiser, contact: "ada@example.com" })
    .execute();
  await db
    .insertInto("campaigns")
    .values({
      id: campaignId,
      advertiser_id: advertiser.id,
      name: "Autumn",
      goal: "impressions",
      goal_amount: 1000,
      impressions: 400,
      price_model: "cpm",
      price_micros: 5_000_000,
      starts_at: new Date(Date.now() - 86_400_000),
      ends_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  await makeAd(db, { title: "Of a campaign", campaign_id: campaignId, is_active: false });
  await fetch(`${app.url}/api/admin/webhooks`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/hook", events: ["video.ready"] }),
  });
  await fetch(`${app.url}/api/admin/passes`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ note: "A pass for pages", days: 30 }),
  });
  await fetch(`${app.url}/api/takedowns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ground: "copyright",
      addresses: "/video/playable",
      text: `Right-to-left: שלום ${"x".repeat(3000)}`,
      name: "Ada".repeat(60),
      email: "ada@example.com",
      isInGoodFaith: true,
      isAccurate: true,
      signature: "Ada",
    }),
  });
  await makeUser(db, { email: "editor@example.com", role: "EDITOR", name: "Édith" });
  const thrown = await makeVideo(db, { title: "Thrown away", thumbnail_key: null });
  await fetch(`${app.url}/api/videos/${thrown.id}`, {
    method: "DELETE",
    headers: { cookie: await app.signIn() },
  });
  await fetch(`${app.url}/api/referrals`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ name: "Flyer", code: "flyer", target: "/home", note: "In the shop" }),
  });
  await addWatchedFolder();
});

/** Adds files of a watched folder, and the source of an imported video. */
async function addWatchedFolder(): Promise<void> {
  const { db } = app;
  await db.updateTable("settings").set({ watch_folder: true }).execute();
  const problem = "The folder is empty and isn't the one seen before. Is its disk mounted?";
  await db.updateTable("watched_folder").set({ looked_at: new Date(), problem }).execute();
  const name = "a-name-without-any-space-that-is-longer-than-a-telephone-is-wide".repeat(2);
  for (const [at, state] of (["failed", "waiting", "done"] as const).entries()) {
    const key = Buffer.from([at]);
    const note = state === "failed" ? "its file is empty" : null;
    const about = {
      path: `Travel/${name}.mp4`,
      state,
      note,
      video_id: at === 2 ? detailsId : null,
    };
    await db
      .insertInto("watched_files")
      .values({ key, id: detailsId, signature: key, resting_since: new Date(), ...about })
      .execute();
  }
  await db
    .insertInto("video_origins")
    .values({ source: "watched folder", source_id: `Travel/${name}.mp4`, video_id: detailsId })
    .execute();
}

const campaignId = "0198aaaa-0000-7000-8000-000000000002";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name }).first();
const fromRowMenu = (title: string, entry: string) => async (page: Page) => {
  await button(page, `More actions for ${title}`).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

/** Text that shows that the page has loaded, and the dialogs that the page can open. */
const pages: [path: string, sign: string, dialogs: ((page: Page) => Promise<void>)[]][] = [
  ["/admin", "Recent Videos", [(page) => page.keyboard.press("Control+k")]],
  [
    "/admin/videos",
    "Showing 1 to 10 of 12 videos",
    [
      (page) => button(page, "Edit Playable").click(),
      (page) => button(page, "Delete Playable").click(),
      (page) => button(page, "Upload Video").click(),
      fromRowMenu("Playable", "Change thumbnail"),
      fromRowMenu("Playable", "Restrictions"),
      fromRowMenu("Broken", "Schedule publishing"),
      async (page) => {
        await page.getByLabel("Select Playable").check();
        await button(page, "More bulk actions").click();
        await page.getByRole("menuitem", { name: "Add tags" }).click();
      },
      async (page) => {
        await page.getByLabel("Select Playable").check();
        await button(page, "More bulk actions").click();
        await page.getByRole("menuitem", { name: "Remove tags" }).click();
      },
    ],
  ],
  [
    `/admin/videos/${detailsId}`,
    "This video has no captions.",
    [
      (page) => button(page, "Add captions").click(),
      (page) => button(page, "Change address").click(),
      (page) => button(page, "Visibility").click(),
    ],
  ],
  ["/admin/trash", "Thrown away", [(page) => button(page, "Delete forever Thrown away").click()]],
  ["/admin/videos?search=nothing-like-this", "No videos found.", []],
  [
    "/admin/categories",
    "/night-walks",
    [
      (page) => button(page, "Add Category").click(),
      (page) => button(page, "Merge Night walks").click(),
      (page) => button(page, "Delete Night walks").click(),
    ],
  ],
  [
    "/admin/tags",
    "/rain",
    [(page) => button(page, "Edit rain").click(), (page) => button(page, "Order of rain").click()],
  ],
  [
    "/admin/actors",
    "/ada",
    [(page) => button(page, "Edit Ada").click(), (page) => button(page, "Add Actor").click()],
  ],
  [
    "/admin/campaigns",
    "Autumn",
    [
      (page) => button(page, "Add Campaign").click(),
      async (page) => {
        await button(page, "Edit Autumn").click();
        await page.getByText("Caps and targets").click();
      },
    ],
  ],
  [
    "/admin/campaigns/advertisers",
    "ada@example.com",
    [
      (page) => button(page, "Add Advertiser").click(),
      (page) => button(page, "Delete Acme").click(),
      (page) => button(page, "Share stats for Acme").click(),
    ],
  ],
  ["/admin/campaigns/report", "Export CSV", []],
  [`/admin/campaigns/${campaignId}`, "Of a campaign", []],
  [
    "/admin/ads",
    "Autumn sale",
    [
      (page) => button(page, "Edit Autumn sale").click(),
      (page) => button(page, "Statistics for Autumn sale").click(),
      (page) => button(page, "Test a VAST tag").click(),
    ],
  ],
  [
    "/admin/referrals",
    "?ref=flyer",
    [
      (page) => button(page, "Add Referral").click(),
      (page) => button(page, "Edit Flyer").click(),
      (page) => button(page, "Statistics for Flyer").click(),
      (page) => button(page, "Delete Flyer").click(),
    ],
  ],
  [
    "/admin/reports",
    "Right-to-left",
    [
      (page) => button(page, "Open the report about Playable").click(),
      (page) => button(page, "Blocked files").click(),
    ],
  ],
  ["/admin/comments", "No comments to review.", []],
  [
    "/admin/members",
    "A pass for pages",
    [
      (page) => button(page, "New pass").click(),
      (page) => button(page, "Edit A pass for pages").click(),
      (page) => button(page, "Link and QR code of A pass for pages").click(),
      (page) => button(page, "Revoke A pass for pages").click(),
    ],
  ],
  ["/admin/reports?state=resolved", "No reports match these filters.", []],
  [
    "/admin/webhooks",
    "https://example.com/hook",
    [
      (page) => button(page, "Add webhook").click(),
      async (page) => {
        await button(page, /^Manage https/).click();
        await page.getByRole("menuitem", { name: "Log" }).click();
      },
    ],
  ],
  [
    "/admin/people",
    "Require two-factor sign-in",
    [
      (page) => button(page, "Invite").click(),
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Change role" }).click();
      },
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Sessions" }).click();
      },
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Remove" }).click();
      },
    ],
  ],
  [
    "/admin/account",
    "Shown in the back office",
    [
      (page) => button(page, "Set up an app").click(),
      (page) => button(page, "Add a passkey").click(),
      (page) => button(page, "New token").click(),
      (page) => button(page, "Sign out everywhere").click(),
    ],
  ],
  [`/admin/videos/${detailsId}/cut`, "Parts to keep", []],
  [`/admin/videos/${detailsId}/clips`, "Several clips", []],
  ["/admin/system", "Passed", []],
  ["/admin/storage", "Largest videos", []],
  ["/admin/import", "Import and export data as CSV files", []],
  ["/admin/safety", "Publish a list of removals", []],
  ["/admin/settings", "Basic Information", []],
  ["/admin/pages", "No pages yet", [(page) => button(page, "Add page").click()]],
  ["/admin/settings/texts", "Your text", []],
  ["/admin/audit", "created the referral link", []],
  ["/admin/audit?search=unknown", "No entries match these filters.", []],
];

it("visits every page of the table", () => {
  const visited = pages.map(([path]) => path.replace(/\?.*/, ""));
  const missing = adminPages.filter(({ href }) => !visited.some((path) => matchPath(href, path)));
  expect(missing.map(({ href }) => href)).toEqual([]);
});

/** Allows clamped titles one extra em, for slanted letters. */
const findOverprinted = (page: Page) =>
  page
    .locator(".data-table :is(th, td)")
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 14)
        .map(({ textContent }) => textContent),
    );

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect.poll(() => overflowPx(page)).toBe(0);
}

async function expectTablesInsideColumns(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expect.poll(() => findOverprinted(page)).toEqual([]);
}

/** Checks the open dialog at two sizes, and closes it. */
async function expectAccessibleDialog(page: Page): Promise<void> {
  const shown = page.locator("[role=dialog], [role=alertdialog]");
  await shown.waitFor();
  await expectAccessible(page, "[role=dialog], [role=alertdialog]");
  await page.setViewportSize(screens.phone);
  await expectNoSidewaysScroll(page);
  await expectTouchTargets(page, "[role=dialog], [role=alertdialog]");
  await page.setViewportSize(screens.laptop);
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
}

describe("every page", () => {
  let admin: Admin;
  beforeAll(async () => {
    // A new session needs no confirmation of the password.
    admin = await openAdmin(app, {
      viewport: screens.laptop,
      reducedMotion: "reduce",
      expectProblems: provoked,
    });
  });
  afterAll(() => admin.close());

  // Loading a page costs more than checking it, so one load serves all screens and dialogs.
  it.each(pages)("passes axe and fits all screens at %s", async (path, sign, dialogs) => {
    const { page } = admin;
    await page.goto(path);
    await page.getByText(sign).first().waitFor();
    await expectTablesInsideColumns(page);
    await expectAccessible(page);
    await expectContrastInOtherScheme(page);
    for (const open of dialogs) {
      await open(page);
      await expectAccessibleDialog(page);
    }
    await page.setViewportSize(screens.tablet);
    await expectTablesInsideColumns(page);
    await page.setViewportSize(screens.phone);
    await expectFitsAtEachTextSize(page);
    await expectTouchTargets(page);
    await page.setViewportSize(screens.laptop);
  });
});

it("fits the title of a video in the space beside the other columns", async () => {
  const { page } = await openAdmin(app, { path: "/admin/videos", viewport: screens.laptop });
  const title = page.getByRole("link", { name: "Playable", exact: true });
  await title.waitFor();
  const lines = await title.evaluate(
    (link) => link.getBoundingClientRect().height / parseFloat(getComputedStyle(link).lineHeight),
  );
  expect(Math.round(lines)).toBe(1);
  const share = await page
    .getByRole("columnheader", { name: "Video" })
    .evaluate((cell) => cell.clientWidth / (cell.closest("table")?.clientWidth ?? 0));
  expect(share).toBeGreaterThan(0.3);
  await page.setViewportSize({ width: screens.laptop.width, height: 400 });
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 500);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
  const header = await page.getByRole("columnheader", { name: "Video" }).boundingBox();
  expect(Math.round(header?.y ?? 0)).toBe(56);
});

describe("axe finds nothing in", () => {
  it("the page for users without permission", async () => {
    const { page } = await openAdmin(app, { role: "USER", expectProblems: provoked });
    await page.getByRole("heading", { name: "Access Denied" }).waitFor();
    await expectAccessible(page);
  });

  it("the editor of captions", async () => {
    const { id } = await makeVideo(app.db, { title: "Spoken", thumbnail_key: null });
    await addCaptions(app, id, "language=de", wholeLine("Hallo"));
    // The video has no file.
    const { page } = await openAdmin(app, {
      path: `/admin/videos/${id}`,
      expectProblems: provoked,
    });
    await page.getByRole("button", { name: "Edit lines: Deutsch" }).click();
    await page.getByLabel("Text for line 1").waitFor();
    await expectAccessible(page);
  });

  it("a preview of an import with problems", async () => {
    const { page } = await openAdmin(app, { path: "/admin/import" });
    await page.getByLabel("Type of data").selectOption({ label: "Tags" });
    await page.getByLabel("CSV file").setInputFiles({
      name: "tags.csv",
      mimeType: "text/csv",
      buffer: Buffer.from('name,description\r\n"a, comma",Refused\r\nFine,Accepted\r\n'),
    });
    await page.getByRole("button", { name: "Check the rows" }).click();
    await page.getByRole("table", { name: "Rows with problems" }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize(screens.phone);
    await expectNoSidewaysScroll(page);
  });

  it("an empty list with an example", async () => {
    await app.db.deleteFrom("ads").execute();
    await app.db.deleteFrom("campaigns").execute();
    const { page } = await openAdmin(app, { path: "/admin/campaigns" });
    await page.getByText("No campaigns yet").waitFor();
    await expectAccessible(page);
  });

  it("an edit conflict, the question for the password and the end of a session", async () => {
    const admin = await openAdmin(app, { path: "/admin/account", expectProblems: provoked });
    const { page } = admin;
    await app.db
      .updateTable("sessions")
      .set({ confirmed_at: new Date(0) })
      .execute();
    const address = page.getByRole("region", { name: "Email" });
    await address.getByLabel("Email").fill("confirmed@example.com");
    await address.getByRole("button", { name: "Change email" }).click();
    const question = page.getByRole("dialog", { name: "Confirm it's you" });
    await question.waitFor();
    await expectAccessible(page, "[role=dialog]");
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByText(/^Failed to change the email/).waitFor();

    await page.goto(`/admin/videos?edit=${detailsId}`);
    const form = page.getByRole("dialog", { name: "Edit Video" });
    await form.getByLabel("Title").fill("Title of the second");
    await fetch(`${app.url}/api/videos/${detailsId}`, {
      method: "PUT",
      headers: { cookie: await app.signIn(), "content-type": "application/json" },
      body: JSON.stringify({ title: "Title of the first" }),
    });
    await form.getByRole("button", { name: "Update Video" }).click();
    await form.getByRole("alert", { name: "Edit conflict" }).waitFor();
    await expectAccessible(page, "[role=dialog]");
    await form.getByRole("button", { name: "Keep mine: Title" }).click();
    await app.db.deleteFrom("sessions").execute();
    await form.getByRole("button", { name: "Update Video" }).click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await expectAccessible(page);
  });
});
