import type { Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#test/app.ts";
import { openAdmin, provoked, type Admin } from "../support/admin-support.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeActor, makeCategory } from "#test/factories/make-label.ts";
import { closeVisitors, expectNoProblems, openVisitor } from "../support/browser.ts";

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

describe("Admin Categories", () => {
  it("shows No categories found. Create your first category! while there are none", async () => {
    await admin.page.goto("/admin/categories");
    await admin.page.getByText("No categories found.").waitFor();
    await admin.page.getByText("Create your first category!").waitFor();
  });

  it("creates a category, shows its slug, description and count, edits and deletes it", async () => {
    const { page } = admin;
    await page.goto("/admin/categories");
    await page.getByRole("button", { name: "Add Category" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Category" });
    await dialog.locator("input:focus").waitFor();
    await page.keyboard.type("  Slow Waves ");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("  Slow Waves ");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "hidden" });
    const row = page.getByRole("row").filter({ hasText: "Slow Waves" });
    await row.getByText("/slow-waves").waitFor();
    await row.getByText("No description").waitFor();
    const videos = row.getByRole("link", { name: "0 videos" });
    expect(await videos.getAttribute("href")).toBe("/admin/videos?category=slow-waves");
    const today = await page.evaluate(() => new Date().toLocaleDateString());
    await row.getByText(today, { exact: true }).waitFor();
    for (const name of ["Category", "Description", "Videos", "Created", "Actions"]) {
      await page.getByRole("columnheader", { name, exact: true }).waitFor();
    }

    await row.getByRole("button", { name: "Edit Slow Waves" }).click();
    const edit = page.getByRole("dialog", { name: "Edit Category" });
    await expect.poll(() => edit.getByLabel("Name").inputValue()).toBe("Slow Waves");
    await edit.getByLabel("Description").fill("Calm water");
    await edit.getByRole("button", { name: "Update" }).click();
    await row.getByText("Calm water").waitFor();

    await row.getByRole("button", { name: "Delete Slow Waves" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("Are you sure you want to delete this category?").waitFor();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No categories found.").waitFor();
  });

  it("does nothing for an empty name, and resets the form on Cancel", async () => {
    const { page } = admin;
    let posts = 0;
    await page.route("**/api/categories", (route) => {
      if (route.request().method() === "POST") posts += 1;
      return route.continue();
    });
    await page.goto("/admin/categories");
    await page.getByRole("button", { name: "Add Category" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Category" });
    await dialog.getByLabel("Name").fill("   ");
    await dialog.getByLabel("Name").press("Enter");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(posts).toBe(0);
    await page.getByRole("button", { name: "Add Category" }).click();
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("shows Failed to create, update and delete category, and keeps what was typed", async () => {
    const { page } = admin;
    await makeCategory(app.database.db, { name: "Steady" });
    await page.route("**/api/categories**", (route) =>
      route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({ status: 500, json: { message: "no", code: "internal", requestId: "x" } }),
    );
    await page.goto("/admin/categories");
    await page.getByRole("button", { name: "Add Category" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Category" });
    await dialog.getByLabel("Name").fill("Lost");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("Failed to create category", { exact: true }).waitFor();
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("Lost");
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const row = page.getByRole("row").filter({ hasText: "Steady" });
    await row.getByRole("button", { name: "Edit Steady" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Update" }).click();
    await page.getByText("Failed to update category", { exact: true }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    await row.getByRole("button", { name: "Delete Steady" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Failed to delete category", { exact: true }).waitFor();
    await row.waitFor();
  });

  it("shows at the field which name already exists", async () => {
    const { page } = admin;
    await makeCategory(app.database.db, { name: "Taken" });
    await page.goto("/admin/categories");
    await page.getByRole("button", { name: "Add Category" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Category" });
    await dialog.getByLabel("Name").fill("taken");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText('Category "taken" already exists.').waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("merges duplicates: moves the videos and redirects the old address", async () => {
    const { page } = admin;
    const from = await makeCategory(app.database.db, { name: "Sci Fi" });
    const into = await makeCategory(app.database.db, { name: "Science Fiction" });
    await makeVideo(app.database.db, {}, { categoryIds: [from.id] });
    await page.goto("/admin/categories");
    await page.getByRole("button", { name: "Merge Sci Fi" }).click();
    const dialog = page.getByRole("dialog", { name: "Merge Category" });
    await dialog.getByLabel("Merge into").selectOption(into.id);
    await page.route("**/merge", (route) => route.fulfill({ status: 500, body: "" }));
    await dialog.getByRole("button", { name: "Merge Category" }).click();
    await page.getByText("Failed to merge category: Unknown error", { exact: true }).waitFor();
    await page.unrouteAll();
    await dialog.getByRole("button", { name: "Merge Category" }).click();
    await page
      .getByRole("row")
      .filter({ hasText: "Science Fiction" })
      .getByText("1 video")
      .waitFor();
    await expect.poll(() => page.getByRole("row").filter({ hasText: "/sci-fi" }).count()).toBe(0);
  });
});

it("reports a list that fails to load, and loads it on Try Again", async () => {
  const { page } = admin;
  for (const [path, call, text] of [
    ["categories", "**/api/categories", "Failed to load categories"],
    ["tags", "**/api/tags", "Failed to load tags"],
    ["actors", "**/api/actors", "Failed to load actors"],
    ["referrals", "**/api/referrals", "Failed to load referrals"],
    ["audit", "**/api/admin/audit*", "Failed to load the audit log"],
  ] as const) {
    await page.route(call, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`/admin/${path}`);
    await page.getByText(text, { exact: true }).waitFor();
    // A list that failed to load must not look empty.
    expect(await page.getByText(/^0 /).count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByText(text, { exact: true }).waitFor({ state: "hidden" });
  }
});

describe("Admin Tags and Actors", () => {
  it("manages tags and actors like categories", async () => {
    const { page } = admin;
    for (const [path, title, one] of [
      ["/admin/tags", "Manage Tags", "Tag"],
      ["/admin/actors", "Manage Actors", "Actor"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByRole("button", { name: `Add ${one}` }).click();
      const dialog = page.getByRole("dialog", { name: `Add ${one}` });
      await dialog.getByLabel("Name").fill(`First ${one}`);
      await dialog.getByRole("button", { name: "Create" }).click();
      await page
        .getByRole("row")
        .filter({ hasText: `First ${one}` })
        .waitFor();
    }
  });

  it("gives an actor a picture and a description, and removes the picture", async () => {
    const { page } = admin;
    await makeActor(app.database.db, { name: "Portrayed" });
    await page.goto("/admin/actors");
    const row = page.getByRole("row").filter({ hasText: "Portrayed" });
    await row.getByRole("button", { name: "Edit Portrayed" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Actor" });
    const choose = (buffer: Buffer) =>
      dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "face.png", mimeType: "image/png", buffer });
    await choose(Buffer.from("no picture"));
    await page.getByText(/^Failed to change the image: /).waitFor();
    const face = await page.getByRole("banner").screenshot();
    await choose(face);
    await dialog.getByRole("img", { name: "Portrayed" }).waitFor();
    await dialog.getByLabel("Description").fill("Often seen at night.");
    await dialog.getByRole("button", { name: "Update" }).click();
    await row.getByText("Often seen at night.").waitFor();
    const width = () =>
      row
        .locator("img")
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    await row.getByRole("button", { name: "Edit Portrayed" }).click();
    await dialog.getByRole("button", { name: "Remove image" }).click();
    await dialog.getByRole("img").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => row.locator("img").count()).toBe(0);
  });

  it("shows a script in a name as text", async () => {
    const { page } = admin;
    await page.goto("/admin/tags");
    await page.getByRole("button", { name: "Add Tag" }).click();
    const name = "<img src=x onerror=window.hacked=1>";
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByText(name).first().waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

describe("Admin Settings", () => {
  it("shows Loading, then fields with their hints and kinds", async () => {
    const { page } = admin;
    const held = Promise.withResolvers<Route>();
    await page.route("**/api/settings", (route) => held.resolve(route));
    await page.goto("/admin/settings");
    await page.getByText("Loading", { exact: true }).waitFor();
    await (await held.promise).continue();
    await page.getByText("Direct URL to your site logo image").waitFor();
    await page.getByText("Direct URL to your site favicon").waitFor();
    for (const heading of ["Basic Information", "Branding", "Preview"]) {
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    }
    await expect.poll(() => page.getByLabel("Site Description").getAttribute("rows")).toBe("3");
    for (const name of ["Site URL", "Logo URL", "Favicon URL"]) {
      await expect.poll(() => page.getByLabel(name).getAttribute("type")).toBe("url");
    }
  });

  it("logs a failed load, and repeats it on Try Again", async () => {
    const { page } = admin;
    const logged = page.waitForEvent("console", (message) =>
      message.text().includes("Couldn't load the settings"),
    );
    await page.route("**/api/settings", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/admin/settings");
    await logged;
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByLabel("Site Name").waitFor();
  });

  it("shows the preview, saves with Settings saved successfully! and reloads", async () => {
    const { page } = admin;
    await page.goto("/admin/settings");
    await page.getByRole("heading", { name: "Site Settings" }).waitFor();
    await expect.poll(() => page.getByText("Not set").count()).toBe(4);
    await page.getByLabel("Site Name").fill("  Lantern  ");
    await page.getByLabel("Site Description").fill("Pictures that move.");
    await page.getByLabel("Logo URL").fill(`${app.url}/nothing-here.png`);
    await page.getByText("Invalid URL").waitFor();
    const held = Promise.withResolvers<Route>();
    await page.route("**/api/settings", (route) =>
      route.request().method() === "POST" ? held.resolve(route) : route.continue(),
    );
    await page.getByRole("button", { name: "Save Settings" }).click();
    const busy = page.getByRole("button", { name: "Saving..." });
    await busy.waitFor();
    await expect.poll(() => busy.isDisabled()).toBe(true);
    const sent = await held.promise;
    expect(sent.request().postDataJSON()).toMatchObject({
      siteName: "Lantern",
      siteDescription: "Pictures that move.",
      siteUrl: null,
      logoUrl: `${app.url}/nothing-here.png`,
      faviconUrl: null,
    });
    await sent.continue();
    await page.getByText("Settings saved successfully!").waitFor();
    await expect.poll(() => page.getByLabel("Site Name").inputValue()).toBe("Lantern");
    const settings = await app.context.settings.get();
    expect(settings).toMatchObject({ siteName: "Lantern", siteUrl: null });
    const visitor = await openVisitor(app.url, { expectProblems: provoked });
    await visitor.page.goto("/home");
    await visitor.page.getByText("Pictures that move.").waitFor();
    await expect.poll(() => visitor.page.title()).toContain("Lantern");
    await visitor.close();
  });

  it("shows Failed to save settings when the server refuses", async () => {
    const { page } = admin;
    await page.goto("/admin/settings");
    await page.getByLabel("Site Name").fill("Other");
    for (const isOffline of [true, false]) {
      await page.route("**/api/settings", (route) => {
        if (route.request().method() !== "POST") return route.continue();
        return isOffline ? route.abort() : route.fulfill({ status: 500, body: "" });
      });
      await page.getByRole("button", { name: "Save Settings" }).click();
      const notice = page.getByText("Failed to save settings", { exact: true });
      await notice.waitFor();
      await page.getByRole("button", { name: "Dismiss" }).click();
      await notice.waitFor({ state: "hidden" });
      await page.unrouteAll();
    }
    await expect.poll(() => page.getByLabel("Site Name").inputValue()).toBe("Other");
  });

  it("saves one section, finds settings, and links to a section", async () => {
    const { page } = admin;
    await page.goto("/admin/settings");
    await page.getByLabel("Site Name").fill("Typed, not saved");
    const sent = page.waitForRequest(
      (request) => request.url().endsWith("/api/settings") && request.method() === "POST",
    );
    await page.getByLabel("Days to keep deleted videos").fill("9");
    await page.getByRole("button", { name: "Save Trash" }).click();
    expect(Object.keys((await sent).postDataJSON()).toSorted()).toEqual(["trashDays", "version"]);
    await page.getByText("Settings saved successfully!").waitFor();
    await expect.poll(() => page.getByLabel("Site Name").inputValue()).toBe("Typed, not saved");
    expect((await app.context.settings.get()).trashDays).toBe(9);

    const sections = page.getByRole("navigation", { name: "Sections" });
    await page.getByRole("searchbox", { name: "Search settings" }).fill("mid-roll");
    await expect.poll(() => sections.getByRole("link").allInnerTexts()).toEqual(["Advertising"]);
    await expect.poll(() => page.getByLabel("Days to keep deleted videos").isVisible()).toBe(false);
    await page.getByRole("searchbox", { name: "Search settings" }).fill("");
    await sections.getByRole("link", { name: "Legal" }).click();
    const heading = page.getByRole("heading", { name: "Legal" });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeLessThan(900);
    expect(
      await page.getByRole("heading", { name: "Preview", exact: true }).boundingBox(),
    ).toMatchObject({
      y: expect.closeTo(100, -2),
    });
    await page.getByLabel("Site Name").fill("Lantern");
  });

  it("publishes the operator's pages with an address and a link in the footer", async () => {
    const { page } = admin;
    await page.goto("/admin/settings");
    await page.getByLabel("Privacy").fill("# What we keep\n\nAlmost **nothing**.");
    await page.getByRole("button", { name: "Save Pages" }).click();
    await page.getByText("Settings saved successfully!").waitFor();
    const visitor = await openVisitor(app.url, { expectProblems: provoked });
    await visitor.page.goto("/home");
    await visitor.page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await visitor.page.getByRole("heading", { name: "What we keep" }).waitFor();
    const missing = await visitor.page.goto("/terms");
    expect(missing?.status()).toBe(404);
    await visitor.close();
  });
});

describe("Admin Referrals", () => {
  it("creates a link, counts its visitors, and shows them by day", async () => {
    const { page } = admin;
    await page.goto("/admin/referrals");
    await page.getByText("No referrals found.").waitFor();
    await page.getByRole("button", { name: "Add Referral" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Referral" });
    await dialog.getByLabel("Name").fill("Flyer");
    await dialog.getByLabel("Code").fill("flyer");
    await dialog.getByLabel("Target").fill("/home");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row").filter({ hasText: "?ref=flyer" }).waitFor();

    const visitor = await openVisitor(app.url, { expectProblems: provoked });
    await visitor.page.goto("/home?ref=flyer");
    await expect.poll(async () => (await app.context.referrals.list("flyer"))[0]?.visits).toBe(1);
    await visitor.close();

    await page.reload();
    await page.getByRole("button", { name: "Statistics for Flyer" }).click();
    const stats = page.getByRole("dialog", { name: "Statistics for Flyer" });
    const today = new Date().toISOString().slice(0, 10);
    const row = stats.getByRole("row").filter({ hasText: today });
    await row.waitFor();
    await expect.poll(() => row.getByRole("cell").allInnerTexts()).toEqual([today, "1", "1", "0"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      stats.getByRole("link", { name: "Download CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });
});

it("edits and deletes referrals, and reports failures", async () => {
  const { page } = admin;
  await page.goto("/admin/referrals");
  await page.getByRole("heading", { level: 1, name: "Manage Referrals" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: "Flyer" });
  const refuse = () =>
    page.route("**/api/referrals**", (route) =>
      route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({ status: 500, body: "" }),
    );
  await refuse();
  await row.getByRole("button", { name: "Edit Flyer" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Referral" });
  await dialog.getByLabel("Note").fill("In the shop");
  await dialog.getByRole("button", { name: "Update" }).click();
  await page.getByText(/^Failed to update referral/).waitFor();
  await page.unrouteAll();
  await dialog.getByRole("button", { name: "Update" }).click();
  await row.getByText("In the shop").waitFor();

  const remove = async () => {
    await row.getByRole("button", { name: "Delete Flyer" }).click();
    const question = page.getByRole("alertdialog");
    await question
      .getByText('Are you sure you want to delete "Flyer"? Its counts are deleted too.')
      .waitFor();
    await question.getByRole("button", { name: "Delete" }).click();
  };
  await refuse();
  await remove();
  await page.getByText(/^Failed to delete referral/).waitFor();
  await page.unrouteAll();
  await remove();
  await page.getByText("Create your first referral link!").waitFor();
});

describe("Audit log", () => {
  it("shows the user of each change, with old and new values", async () => {
    const { page } = admin;
    await page.goto("/admin/audit?entity=settings");
    const row = page.getByRole("row").filter({ hasText: "in the settings" }).first();
    await row.getByRole("link", { name: "settings" }).waitFor();
    await row.getByText("Details").click();
    await row.getByText("Before").waitFor();
    await row.getByText('"siteName": "Lantern"').first().waitFor();
  });

  it("filters by account, subject and day", async () => {
    const { page } = admin;
    await page.goto("/admin/audit");
    await page.getByRole("row").filter({ hasText: "in the settings" }).first().waitFor();
    await page.getByLabel("Subject").selectOption("tag");
    await page.getByRole("row").filter({ hasText: "First Tag" }).waitFor();
    await page
      .getByRole("row")
      .filter({ hasText: "in the settings" })
      .first()
      .waitFor({ state: "hidden" });
    await page.waitForURL("**/admin/audit?entity=tag");
    await page.getByLabel("Subject").selectOption("sign-ins");
    await page.getByRole("row").filter({ hasText: "signed in" }).first().waitFor();
    await page.waitForURL("**/admin/audit?topic=sign-ins");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("No entries match these filters.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("Search by account").fill("unknown@example.test");
    await page.getByText("No entries match these filters.").waitFor();
  });
});

it("lists required actions first in the system check, and repeats a failed check", async () => {
  const { page } = admin;
  const path = "**/api/admin/doctor";
  const todo = page.getByRole("listitem").filter({ hasText: "Address" });
  await page.route(path, (route) => route.fulfill({ status: 500, body: "{}" }));
  await page.goto("/admin/system");
  await page.getByText("Failed to check the system").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try Again" }).click();
  await todo.getByText("Warning").waitFor();
  await todo.getByText(/only works on this machine$/).waitFor();
  await todo.getByText(/^Set SITE_URL/).waitFor();
  await page.getByRole("heading", { name: "Schema" }).waitFor();

  const good = { about: "schema", state: "ok", says: "up to date", means: "-", advice: null };
  const report = { findings: [good], host: "a", checkedAt: new Date().toISOString() };
  await page.route(path, (route) => route.fulfill({ json: report }));
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText(/^Everything looks good, checked on .* \(a\)$/).waitFor();
  await todo.waitFor({ state: "hidden" });
  await page.unrouteAll();
});
