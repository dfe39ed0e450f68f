import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#test/app.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { expectAccessibleInBothSchemes } from "../support/accessible.ts";
import { openAdmin, provoked, type Admin } from "../support/admin-support.ts";
import { closeVisitors, expectNoProblems, openVisitor, screens } from "../support/browser.ts";

let app: TestApp;
let admin: Admin;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  admin = await openAdmin(app, { expectProblems: provoked });
});
afterAll(async () => {
  expectNoProblems(admin);
  await closeVisitors();
  await app.stop();
});
beforeEach(async () => {
  await admin.page.unrouteAll();
});

it("shows No videos found on an empty site", async () => {
  await admin.page.goto("/admin");
  await admin.page
    .getByRole("region", { name: "Recent Videos" })
    .getByText("No videos found")
    .waitFor();
});

it("shows how to fill an empty site only to users who are signed in", async () => {
  await admin.page.goto("/home");
  await admin.page.getByText("npm run demo").waitFor();
  const visitor = await openVisitor(app.url);
  await visitor.page.goto("/home");
  await visitor.page.getByText("No videos found").waitFor();
  await visitor.page.waitForFunction(() => document.readyState === "complete");
  await expect.poll(() => visitor.page.getByText("npm run demo").count()).toBe(0);
  await visitor.close();
});

it("shows the six tiles and the recent videos with date and views", async () => {
  const { db } = app.database;
  await makeCategory(db);
  await makeCategory(db);
  await makeTag(db);
  await makeActor(db);
  const createdAt = new Date();
  await makeVideo(db, { title: "Fresh one", views: 1234, likes: 7, created_at: createdAt });
  await makeVideo(db, { title: "Other one", views: 66, likes: 2 });
  const { page } = admin;
  await page.goto("/admin");
  for (const [label, value] of [
    ["Total Videos", "2"],
    ["Categories", "2"],
    ["Tags", "1"],
    ["Actors", "1"],
    ["Views", "1,300"],
    ["Likes", "9"],
  ]) {
    await page
      .getByRole("main")
      .getByRole("link", { name: `${label} ${value}`, exact: true })
      .waitFor();
  }
  const recent = page.getByRole("region", { name: "Recent Videos" });
  const row = recent.getByRole("link", { name: /Fresh one/ });
  await row.getByText("1,234 views").waitFor();
  const shown = await page.evaluate(
    (iso) => new Date(iso).toLocaleDateString(),
    createdAt.toISOString(),
  );
  await row.getByText(shown, { exact: true }).waitFor();
});

it("keeps large figures inside their tiles, even on a phone", async () => {
  const { db } = app.database;
  const views = 987_654_321_987;
  const { id } = await makeVideo(db, { title: "Seen by all", views, likes: views });
  const { page } = admin;
  for (const viewport of Object.values(screens)) {
    await page.setViewportSize(viewport);
    await page.goto("/admin");
    const tiles = page
      .getByRole("main")
      .getByRole("link", { name: /^(Total Videos|Categories|Tags|Actors|Views|Likes) / });
    await expect.poll(() => tiles.count()).toBe(6);
    const isClipped = () =>
      tiles.evaluateAll((links) =>
        links.map((link) =>
          [link, ...link.children].some((part) => part.scrollWidth > part.clientWidth),
        ),
      );
    await expect.poll(isClipped).toEqual(Array.from({ length: 6 }, () => false));
  }
  await page.setViewportSize(screens.laptop);
  await db.deleteFrom("videos").where("id", "=", id).execute();
});

it("shows the selected days as a chart and a table, and supports the keyboard", async () => {
  const { db } = app.database;
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);
  await db
    .insertInto("site_stats_hourly")
    .values({ hour, views: 321, likes: 5, completed: 0, watch_time_s: 7200 })
    .execute();
  const { page } = admin;
  await page.goto("/admin");
  await page.getByRole("button", { name: "7 days" }).click();
  await page.waitForURL("**/admin?days=7");
  await page.getByRole("button", { name: /^Plays 321/ }).waitFor();
  const chart = page.getByRole("slider", { name: "Plays per day" });
  await chart.focus();
  await chart.press("End");
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("321");
  await page.getByText("Show as table").click();
  const rows = page.getByRole("row");
  await expect.poll(() => rows.count()).toBe(8);
  await page.getByRole("row", { name: `${hour.toISOString().slice(0, 10)}, so far 321` }).waitFor();
  await page.getByRole("button", { name: /^Watch time 2 h/ }).click();
  await page.getByRole("slider", { name: "Watch time per day" }).waitFor();
});

it("shows Failed to load dashboard stats, and loads them on Try Again", async () => {
  const { page } = admin;
  await page.route("**/api/admin/stats", (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto("/admin");
  await page.getByText("Failed to load dashboard stats", { exact: true }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try Again" }).click();
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Total Videos/ })
    .waitFor();
});

it("shows the processing queue as it moves, without a reload", async () => {
  const { db } = app.database;
  const { page } = admin;
  const video = await makeVideo(db, { title: "In the queue", status: "processing", progress: 0.1 });
  await page.goto("/admin");
  const queue = page.getByRole("region", { name: "Processing" });
  await queue.getByText("10%").waitFor();
  // The first check only records the current state. Only later changes are sent.
  let progress = 0.1;
  const step = async () => {
    progress += 0.02;
    await db.updateTable("videos").set({ progress }).where("id", "=", video.id).execute();
    return queue.textContent();
  };
  await expect.poll(step, { interval: 1000 }).not.toContain("10%");
  await db
    .updateTable("videos")
    .set({ progress: 1, status: "ready" })
    .where("id", "=", video.id)
    .execute();
  await queue.getByText("Nothing is being processed.").waitFor();
});

it("keeps a long title in the queue inside its panel, even on a tablet", async () => {
  const { page } = admin;
  const { db } = app.database;
  const title = `A walk to ${"the lighthouse and back ".repeat(6)}`;
  const video = await makeVideo(db, { title, status: "processing", progress: 0.1 });
  await page.setViewportSize(screens.tablet);
  await page.goto("/admin");
  const queue = page.getByRole("region", { name: "Processing" });
  const meter = queue.getByRole("progressbar", { name: /A walk to/ });
  await meter.waitFor();
  const [panel, bar] = await Promise.all([queue.boundingBox(), meter.boundingBox()]);
  const endOf = (box: typeof bar) => (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);
  expect(endOf(bar)).toBeLessThan(endOf(panel));
  await page.setViewportSize(screens.laptop);
  await db.deleteFrom("videos").where("id", "=", video.id).execute();
});

it("lists the first steps until they are done or dismissed", async () => {
  const { page } = admin;
  const { db } = app.database;
  await db.updateTable("settings").set({ site_name: "Lantern", logo_url: null }).execute();
  await page.goto("/admin");
  const steps = page.getByRole("region", { name: "First steps" });
  const named = steps.getByRole("link", { name: "Name the site" });
  await named.getByText("Done").waitFor({ state: "attached" });
  expect(await steps.getByRole("listitem").count()).toBe(5);
  await steps.getByRole("button", { name: "Upload a video" }).click();
  const wizard = page.getByRole("dialog", { name: "Upload Video" });
  await wizard.getByRole("button", { name: "Cancel" }).click();
  await wizard.waitFor({ state: "detached" });
  expect(await steps.getByRole("link", { name: "Add a logo" }).getByText("Done").count()).toBe(0);
  await expectAccessibleInBothSchemes(page, "[aria-label='First steps']");
  await steps.getByRole("link", { name: "Add a logo" }).click();
  await page.waitForURL("**/admin/settings#section-branding");
  await page.goto("/admin");
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await steps.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("region", { name: "Recent Videos" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await steps.count()).toBe(0);
  await page.evaluate(() => localStorage.removeItem("kinora.admin.first-steps"));

  await makeVideo(db, { thumbnail_key: null });
  await db
    .updateTable("settings")
    .set({ logo_url: "/logo.png", site_url: "https://lantern.example" })
    .execute();
  await db
    .insertInto("audit_log")
    .values({
      id: randomUUID(),
      at: new Date(),
      user_id: null,
      user_email: "command line",
      action: "backup.created",
      entity: "backup",
      entity_id: null,
      before: null,
      after: null,
      request_id: null,
    })
    .execute();
  await page.reload();
  await page.getByRole("region", { name: "Recent Videos" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await steps.count()).toBe(0);
  await db
    .updateTable("settings")
    .set({ site_name: null, logo_url: null, site_url: null })
    .execute();
});

it("explains empty screens with an example, a button and the docs", async () => {
  const { page } = admin;
  for (const [path, title, docs, action] of [
    ["/admin/campaigns", "No campaigns yet", "docs/behaviour/ads.md", "Start with an advertiser"],
    ["/admin/webhooks", "No webhooks yet.", "docs/webhooks.md", "Add the first webhook"],
    ["/admin/reports", "No reports found.", "docs/moderation.md", "Open the safety settings"],
  ] as const) {
    await page.goto(path);
    await page.getByText(title).waitFor();
    await page.getByText("Example:").waitFor();
    expect(await page.getByRole("link", { name: docs }).getAttribute("href")).toBe("/source");
    await expectAccessibleInBothSchemes(page);
    await page.getByRole("main").getByText(action, { exact: true }).click();
    if (path === "/admin/webhooks")
      await page.getByRole("dialog", { name: "Add webhook" }).waitFor();
    else await page.waitForURL((url) => url.pathname !== path);
  }
});

it("keeps the heading of a page that fails to load, and shows no switch before its value", async () => {
  const { page } = admin;
  await page.route(/\/api\/(admin\/(storage|trash)|account)/, (route) =>
    route.fulfill({ status: 500, body: "" }),
  );
  for (const [path, name] of [
    ["/admin/storage", "Storage"],
    ["/admin/trash", "Trash"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: "Try Again" }).waitFor();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await page.goto("/admin/people");
  await page.getByText(admin.email).first().waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.unrouteAll();
  await page.reload();
  await page.getByRole("switch", { name: "Require two-factor sign-in" }).waitFor();

  await page.route(/\/api\/(account\/(sessions|tokens)|admin\/blocked-files)/, (route) =>
    route.fulfill({ status: 500, body: "" }),
  );
  await page.goto("/admin/account");
  await page.getByText("Failed to load your sessions").waitFor();
  await page.getByText("Failed to load your tokens").waitFor();
  await page.goto("/admin/reports");
  await page.getByRole("button", { name: "Blocked files" }).click();
  await page.getByText("Failed to load the blocked files").waitFor();
  await page.unrouteAll();

  const held = Promise.withResolvers<void>();
  await page.route("**/api/settings", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/admin/safety");
  await page.getByText("Loading settings").waitFor({ state: "attached" });
  expect(await page.getByRole("switch").count()).toBe(0);
  held.resolve();
  await page.getByRole("switch", { name: "Ask visitors if they're 18 or older" }).waitFor();
  await page.unrouteAll();
});
