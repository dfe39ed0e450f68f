import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namedPages } from "#web/features/admin/admin-pages.ts";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, provoked } from "../support/admin-support.ts";
import { closeVisitors, expectNoProblems, openVisitor, screens } from "../support/browser.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
});

describe("access", () => {
  it("shows Access Denied and the role to users without permission", async () => {
    const { email } = await makeUser(app.database.db, { role: "USER" });
    const user = await openVisitor(app.url);
    await user.page.goto("/auth/signin");
    await user.page.getByLabel("Email").fill(email);
    await user.page.getByLabel("Password", { exact: true }).fill(testPassword);
    await user.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await user.page.getByRole("heading", { name: "Access Denied" }).waitFor();
    await user.page.getByText("You don't have permission to access this page.").waitFor();
    await user.page.getByText("USER", { exact: true }).waitFor();
    // The session is still valid although the browser has forgotten the user.
    await user.page.evaluate(() => localStorage.clear());
    await user.page.goto("/auth/signin?next=/admin");
    await user.page.getByRole("heading", { name: "Access Denied" }).waitFor();
    await user.page.evaluate(() => localStorage.clear());
    await user.page.reload();
    await user.page.getByRole("button", { name: "Sign Out" }).click();
    await user.page.waitForURL("**/auth/signin");
    await expect
      .poll(() => user.page.context().cookies())
      .not.toContainEqual(expect.objectContaining({ name: "session" }));
    await user.close();
  });

  it("shows analysts ads and referral links read-only", async () => {
    await makeAd(app.database.db, { title: "Autumn sale" });
    const owner = createClient(app.url, await app.signIn("OWNER"));
    const flyer = { name: "Flyer", code: "flyer", target: "/home" };
    expect((await owner.call("POST", "/api/referrals", flyer)).status).toBe(201);
    const analyst = await openAdmin(app, { path: "/admin/ads", role: "ANALYST" });
    const { page } = analyst;
    for (const [path, name] of [
      ["/admin/ads", "Autumn sale"],
      ["/admin/referrals", "Flyer"],
    ] as const) {
      await page.goto(path);
      const row = page.getByRole("row").filter({ hasText: name });
      await row.getByRole("button", { name: `Statistics for ${name}` }).waitFor();
      await expect
        .poll(() => page.getByRole("button", { name: /^(Add|Edit|Delete|Active$)/ }).count())
        .toBe(0);
      await row.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog").waitFor();
    }
    await page.goto("/admin/settings");
    await page.getByRole("heading", { name: "Access Denied" }).waitFor();
    expectNoProblems(analyst);
    await analyst.close();
  });

  it("keeps the back office's scripts from visitors", async () => {
    const { slug } = await makeVideo(app.database.db, {
      progressive_key: null,
      thumbnail_key: null,
    });
    const visitor = await openVisitor(app.url, { expectProblems: /./ });
    const scripts = new Set<string>();
    visitor.page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.add(request.url());
    });
    for (const path of ["/home", "/trending", `/video/${slug}`, "/"]) {
      await visitor.page.goto(path);
      await visitor.page.waitForLoadState("networkidle");
    }
    expect(scripts.size).toBeGreaterThan(1);
    const words = /Manage Videos|Failed to load dashboard stats|Drop your video file here/;
    const telling: string[] = [];
    for (const url of scripts) {
      if (words.test(await (await fetch(url)).text())) telling.push(url);
    }
    expect(telling).toEqual([]);
    await visitor.close();
  });
});

describe("navigation", () => {
  it("lists every page in the side menu, and marks the current one", async () => {
    const admin = await openAdmin(app);
    const menu = admin.page.getByRole("navigation", { name: "Admin" });
    const inMenu = namedPages.filter(({ group }) => group !== undefined);
    await menu.getByRole("link", { name: "Dashboard", exact: true }).waitFor();
    const names = await menu.getByRole("group").getByRole("link").allInnerTexts();
    expect(names).toEqual(inMenu.map(({ label }) => label));
    for (const { label, href } of inMenu) {
      await menu.getByRole("link", { name: label, exact: true }).click();
      await menu.locator('[aria-current="page"]', { hasText: label }).waitFor();
      await admin.page
        .getByRole("navigation", { name: "Breadcrumbs" })
        .locator('[aria-current="page"]')
        .getByText(label, { exact: true })
        .waitFor();
      expect(new URL(admin.page.url()).pathname).toBe(href);
    }
    expectNoProblems(admin);
    await admin.close();
  });

  it("scrolls the menu to the current page, and marks none on the account page", async () => {
    const admin = await openAdmin(app, { path: "/admin/audit" });
    const current = admin.page.getByRole("navigation", { name: "Admin" }).locator("[aria-current]");
    await expect
      .poll(() =>
        current.evaluate((entry) => entry.getBoundingClientRect().bottom <= window.innerHeight),
      )
      .toBe(true);
    await admin.page.goto(`${app.url}/admin/account`);
    await admin.page.getByRole("heading", { name: "Your account" }).waitFor();
    expect(await current.filter({ visible: true }).count()).toBe(0);
    await admin.close();
  });

  it("groups the menu entries of the specification in their order", async () => {
    const specified = [
      ...["Dashboard", "Videos", "Categories", "Tags", "Actors"],
      ...["Advertisements", "Referrals", "Settings"],
    ];
    for (const viewport of [screens.laptop, screens.phone]) {
      const admin = await openAdmin(app, { viewport });
      const { page } = admin;
      const menu = page.getByRole("navigation", { name: "Admin" });
      await page.getByRole("heading", { name: "Dashboard" }).waitFor();
      if (viewport === screens.phone) {
        await page.getByRole("button", { name: "Open menu" }).click();
      }
      await menu.getByRole("link", { name: "Settings", exact: true }).waitFor();
      const names = await menu.getByRole("link").allInnerTexts();
      expect(names.filter((name) => specified.includes(name))).toEqual(specified);
      const groups = await menu.getByRole("button").allInnerTexts();
      expect(groups).toEqual(["Content", "Advertising", "Community", "Site", "System"]);
      await admin.close();
    }
  });

  it("remembers closed groups, and shows the current page of a closed one", async () => {
    const admin = await openAdmin(app);
    const { page } = admin;
    const menu = page.getByRole("navigation", { name: "Admin" });
    const site = menu.getByRole("group", { name: "Site" });
    await site.getByRole("button", { name: "Site" }).click();
    await expect.poll(() => site.getByRole("link").count()).toBe(0);
    await page.reload();
    await site.getByRole("button", { name: "Site", expanded: false }).waitFor();
    expect(await site.getByRole("link").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("safety");
    await page.getByRole("option", { name: "Safety" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/safety");
    await expect.poll(() => site.getByRole("link").allInnerTexts()).toEqual(["Safety"]);
    await site.getByRole("button", { name: "Site" }).click();
    await site.getByRole("link", { name: "Webhooks" }).waitFor();
    expectNoProblems(admin);
    await admin.close();
  });

  it("finds every page by Ctrl-K", async () => {
    const admin = await openAdmin(app);
    const { page } = admin;
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    const found = await page.getByRole("option").allInnerTexts();
    expect(found).toEqual(expect.arrayContaining(namedPages.map(({ label }) => label)));
    await admin.close();
  });

  it("finds sections of the settings by Ctrl-K, and by the labels inside them", async () => {
    const admin = await openAdmin(app);
    const { page } = admin;
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sellers.json");
    await page.getByRole("option", { name: "Advertising", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/settings#section-advertising");
    const topOfSection = async () =>
      (await page.getByRole("heading", { name: "Advertising", exact: true }).boundingBox())?.y;
    await expect.poll(topOfSection).toBeLessThan(200);
    await expect.poll(topOfSection).toBeGreaterThan(0);
    expectNoProblems(admin);
    await admin.close();
  });

  it("opens pages and videos by Ctrl-K and the keyboard alone", async () => {
    await makeDraft(app.database.db, { title: "Palette lighthouse", thumbnail_key: null });
    const admin = await openAdmin(app);
    const { page } = admin;
    const field = page.getByRole("combobox", { name: "Search pages, actions and videos" });
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type("cat");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/categories");
    await page.keyboard.press("Control+k");
    // The dialog starts empty and focused, even while the previous one fades out.
    await page.locator("[role=dialog]:not([data-closed])").waitFor();
    await page.keyboard.type("lighthouse");
    await page.getByRole("option", { name: "Palette lighthouse" }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Edit Video" });
    await expect.poll(() => dialog.getByLabel("Title").inputValue()).toBe("Palette lighthouse");
    expectNoProblems(admin);
    await admin.close();
  });

  it("opens the upload from every page, and the form for captions from the list", async () => {
    const draft = await makeDraft(app.database.db, {
      title: "Needs captions",
      thumbnail_key: null,
    });
    const admin = await openAdmin(app, { path: "/admin/audit" });
    const { page } = admin;
    await page.getByRole("button", { name: "New upload" }).click();
    await page.getByText("Drop your video file here").waitFor();
    await page.keyboard.press("Escape");
    await page.goto("/admin/videos");
    await page.getByRole("button", { name: "More actions for Needs captions" }).click();
    await page.getByRole("menuitem", { name: "Add captions" }).click();
    const dialog = page.getByRole("dialog", { name: "Add captions" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    await app.database.db.deleteFrom("videos").where("id", "=", draft.id).execute();
    expectNoProblems(admin);
    await admin.close();
  });

  it("shows the menu in a drawer on a phone", async () => {
    const admin = await openAdmin(app, { viewport: screens.phone, hasTouch: true });
    const { page } = admin;
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Videos", exact: true }).click();
    await page.getByRole("heading", { name: "Manage Videos" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expectNoProblems(admin);
    await admin.close();
  });

  it("fits the rows of a table and their checkboxes onto a phone", async () => {
    const { db } = app.database;
    const title = "A_title_without_any_place_to_break_it_that_is_wider_than_a_phone";
    await makeDraft(db, { title, status: "processing", progress: 0.2, thumbnail_key: null });
    const admin = await openAdmin(app, { viewport: screens.phone });
    const { page } = admin;
    await page.goto("/admin/videos");
    const row = page.getByRole("row").filter({ hasText: title });
    for (const part of [row, row.getByLabel(`Select ${title}`)]) {
      await part.waitFor();
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(screens.phone.width);
    }
    await db.deleteFrom("videos").where("title", "=", title).execute();
    expectNoProblems(admin);
    await admin.close();
  });

  it("folds filters behind a button on a phone, so that the list begins on the first screen", async () => {
    const draft = await makeDraft(app.database.db, {
      title: "Harbour at dusk",
      thumbnail_key: null,
    });
    const admin = await openAdmin(app, { viewport: screens.phone, path: "/admin/videos" });
    const { page } = admin;
    const row = page.getByRole("row").filter({ hasText: "Harbour at dusk" });
    await row.waitFor();
    expect((await row.boundingBox())?.y).toBeLessThan(220);
    const filters = page.getByRole("button", { name: "Filters", exact: true });
    expect(await page.getByLabel("Status").isVisible()).toBe(false);
    await filters.click();
    await page.getByLabel("Status").selectOption("draft");
    await page.waitForURL("**/admin/videos?state=draft");
    await page.getByRole("button", { name: "Filters (1)" }).click();
    expect(await page.getByLabel("Status").isVisible()).toBe(false);
    await row.waitFor();
    await app.database.db.deleteFrom("videos").where("id", "=", draft.id).execute();
    expectNoProblems(admin);
    await admin.close();
  });
});

it("asks to sign in again when the session has ended, and loses nothing that was typed", async () => {
  const draft = await makeDraft(app.database.db, { title: "Before the end", thumbnail_key: null });
  const admin = await openAdmin(app, { expectProblems: provoked });
  const { page } = admin;
  await page.goto(`/admin/videos?edit=${draft.id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Video" });
  await dialog.getByLabel("Title").fill("Typed before the end");
  await app.database.db.deleteFrom("sessions").execute();
  await dialog.getByRole("button", { name: "Update Video" }).click();
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await again.locator("[type=password]:focus").waitFor();
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog");
  await question.getByText("Discard your changes?").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await again.getByLabel("Password").fill("wrong password");
  await again.getByRole("button", { name: "Sign in" }).click();
  await again.getByText("Invalid credentials").waitFor();
  await again.getByLabel("Password").fill(testPassword);
  await again.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Video updated successfully").waitFor();
  const row = await app.database.db
    .selectFrom("videos")
    .select("title")
    .where("id", "=", draft.id)
    .executeTakeFirstOrThrow();
  expect(row.title).toBe("Typed before the end");
  // A page opened after the end asks only once.
  await app.database.db.deleteFrom("sessions").execute();
  await page.goto("/admin");
  await page.waitForURL("**/auth/signin?next=%2Fadmin");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await again.count()).toBe(0);
  expectNoProblems(admin);
  await admin.close();
});
