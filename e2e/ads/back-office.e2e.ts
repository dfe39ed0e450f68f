import type { Page, Route } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { createClient, type TestApp } from "#test/app.ts";
import {
  inlineVast,
  networkTag,
  startAdServer,
  wrapperVast,
  type AdServer,
} from "../support/ads-server.ts";
import { useAdsSite, userAgent, type AdsSite } from "../support/ads-site.ts";

let app: TestApp;
let server: AdServer;
let admin: AdsSite["admin"];
let page: Page;

const site = useAdsSite({ type: "banner", placement: "header" });
beforeEach(async () => {
  ({ app, server, admin, page } = site);
  const [name = "", value = ""] = site.adminCookie.split("=");
  await site.context.addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: "Lax" }]);
  const { user } = (await admin.call("GET", "/api/auth/session")).json;
  await site.context.addInitScript((known) => {
    // Frames of ads have no storage.
    if (self.origin !== "null") localStorage.setItem("user", JSON.stringify(known));
  }, user);
});

test("shows an error if the campaigns fail to load, and opens the form after a retry", async () => {
  const campaigns = "**/api/campaigns";
  const post = async (path: string, body: object) => (await admin.call("POST", path, body)).json;
  const { id: advertiserId } = await post("/api/advertisers", { name: "Acme" });
  const { id } = await post("/api/campaigns", { advertiserId, name: "Autumn" });
  for (const [path, button] of [
    ["/admin/ads", "Add Advertisement"],
    [`/admin/campaigns/${id}`, "Edit Campaign"],
  ] as const) {
    await page.route(campaigns, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${app.url}${path}`);
    await page.getByText("Couldn't load the campaigns.").waitFor();
    await page.unroute(campaigns);
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
  }
});

test("adds, edits and deletes an ad with a live preview and the specified texts", async () => {
  await page.goto(`${app.url}/admin/ads`);
  await page.getByText("No ads found").waitFor();
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Autumn sale");
  await form.getByLabel("Type").selectOption("banner");
  await expect.poll(() => form.getByLabel("VAST/Video URL").count()).toBe(0);
  await form.getByLabel("Type").selectOption("video");
  await form.getByLabel("VAST/Video URL").waitFor();
  await form.getByLabel("Type").selectOption("banner");
  await form.getByLabel("Placement").selectOption("footer");
  await expect.poll(() => form.getByRole("switch", { name: "Active" }).isChecked()).toBe(true);
  await form
    .getByLabel("Content")
    .fill("<b id='b'>x</b><script>b.textContent = 'it ' + 'runs'</script>");
  const stage = page.frameLocator("iframe[title^='Preview: ']");
  await stage.frameLocator("iframe[title='HTML preview']").getByText("it runs").waitFor();
  await form.getByLabel("Link URL").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("must be an HTTP or HTTPS URL").waitFor();
  await form.getByLabel("Link URL").fill("https://example.com/");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("row", { name: /Autumn sale.*Footer.*Active.*0\.00%/ }).waitFor();

  await page.getByRole("button", { name: "Edit Autumn sale" }).click();
  await form.getByLabel("Title").fill("Winter sale");
  await form.getByRole("switch", { name: "Trusted" }).click();
  await page.getByText("This ad's scripts will run as part of your pages").waitFor();
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByRole("button", { name: "Trust ad" }).click();
  await page.getByRole("row", { name: /Winter sale.*Trusted/ }).waitFor();
  const log = await app.database.db.selectFrom("audit_log").select("action").execute();
  expect(log.map((line) => line.action)).toContain("ad.trusted");

  await page.getByRole("button", { name: "Delete Winter sale" }).click();
  await page.getByText("Are you sure you want to delete this ad?").waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No ads found").waitFor();
});

test("previews blocked content of an ad, and allows it", async () => {
  const frames = await startAdServer();
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Network");
  await form.getByLabel("Type").selectOption("banner");
  await form.getByLabel("Placement").selectOption("header");
  await form.getByLabel("Content").fill(networkTag(server, frames));
  await form.getByText(`Blocked a script from ${server.url}.`).waitFor();
  await form.getByRole("button", { name: `Allow ${server.url}` }).click();
  await form.getByText(`Blocked a frame from ${frames.url}.`).waitFor();
  await form.getByRole("button", { name: `Allow ${frames.url}` }).click();
  // The frame with the old creative is removed.
  const stage = page.frameLocator("iframe[title^='Preview: ']");
  const preview = stage.frameLocator(`iframe[src*="${encodeURIComponent(frames.url)}"]`);
  await preview.frameLocator("ins iframe").getByText("A creative of the network").waitFor();
  await form.getByText("Blocked:").waitFor({ state: "detached" });
  await form.getByText("Nothing to fix.").waitFor();
  const origins = form.getByLabel("Origins for scripts and frames");
  expect(await origins.inputValue()).toBe(`${server.url}\n${frames.url}`);
  await origins.fill("https://*");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByText("must be origins such as").waitFor();
  await origins.fill(server.url);
  await form.getByText(`Blocked a frame from ${frames.url}.`).waitFor();
  await form.getByRole("button", { name: "Create" }).click();
  // An active ad without the required origins asks for confirmation before it goes live.
  await page.getByText(`The preview blocked content from ${frames.url}`).waitFor();
  await page.getByRole("button", { name: "Save anyway" }).click();
  await page.getByRole("row", { name: /Network/ }).waitFor();
  const { ads } = (await admin.call("GET", "/api/ads")).json;
  expect(ads[0].origins).toEqual([server.url]);
  await frames.stop();
});

test("copies an ad, which stays off, and warns before scripts without origins go live", async () => {
  const content = '<script src="https://cdn.example.com/tag.js"></script>';
  await site.createAd({ title: "Autumn", content, trust: "page", weight: 3 });
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("button", { name: "Copy Autumn" }).click();
  const form = page.getByRole("dialog", { name: "Copy Advertisement" });
  await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("Copy of Autumn");
  await expect.poll(() => form.getByLabel("Weight").inputValue()).toBe("3");
  await form.getByRole("switch", { name: "Trusted" }).click();
  await form.getByRole("button", { name: "Create" }).click();
  await form.waitFor({ state: "detached" });
  const copy = page.getByRole("row", { name: /Copy of Autumn.*Inactive/ });
  await copy.getByRole("button", { name: "Inactive" }).click();
  const question = page.getByText("can only load scripts and frames from https://cdn.example.com");
  await question.waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  const isActive = async () =>
    (await admin.call("GET", "/api/ads?search=copy")).json.ads[0].isActive;
  expect(await isActive()).toBe(false);
  await copy.getByRole("button", { name: "Inactive" }).click();
  await page.getByRole("button", { name: "Activate", exact: true }).click();
  await expect.poll(isActive).toBe(true);
});

test("uploads the picture of an ad and shows it in the preview and on the site", async () => {
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Poster");
  await form.getByLabel("Type").selectOption("banner");
  await form.getByLabel("Placement").selectOption("footer");
  const pixel = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await form
    .getByLabel("Upload image")
    .setInputFiles({ name: "poster.png", mimeType: "image/png", buffer: pixel });
  const address = form.getByLabel("Image URL");
  await expect.poll(() => address.inputValue()).toMatch(/^\/media\/public\/spots\/[\w-]+\.png$/);
  const stage = page.frameLocator("iframe[title^='Preview: ']");
  await stage.getByRole("img", { name: "Poster" }).waitFor();
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("row", { name: /Poster/ }).waitFor();
  const { ads } = (await createClient(app.url).call("GET", "/api/spots/public")).json;
  const picture = await fetch(app.url + ads[0].imageUrl);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(pixel);
  // A document with the name of a picture is rejected with a reason.
  await page.getByRole("button", { name: "Edit Poster" }).click();
  await form
    .getByLabel("Upload image")
    .setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("<script>1") });
  await page.getByText("The image must be a JPEG, PNG or WebP file.").waitFor();
  expect(await address.inputValue()).toBe(ads[0].imageUrl);
});

test("holds an editor's ad until it is approved", async () => {
  const editor = createClient(app.url, await app.signIn("EDITOR"));
  const values = { title: "Proposed", type: "banner", placement: "header" };
  expect((await editor.call("POST", "/api/ads", values)).status).toBe(201);
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("row", { name: /Proposed.*Waiting for approval/ }).waitFor();
  await page.getByRole("button", { name: "Approve Proposed" }).click();
  await page.getByText("Waiting for approval").waitFor({ state: "detached" });
  const { ads } = (await createClient(app.url).call("GET", "/api/spots/public")).json;
  expect(ads).toMatchObject([{ title: "Proposed" }]);
});

test("shows Loading ads..., requires three fields, and resets the form on Cancel", async () => {
  const asked = Promise.withResolvers<Route>();
  await page.route("**/api/ads?**", (route) => asked.resolve(route));
  await page.goto(`${app.url}/admin/ads`);
  await page.getByText("Loading ads...", { exact: true }).waitFor();
  await (await asked.promise).continue();
  await page.unroute("**/api/ads?**");
  await page.getByText("No ads found").waitFor();
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  const form = page.getByRole("dialog", { name: "Add Advertisement" });
  for (const label of ["Title", "Type", "Placement"]) {
    await expect
      .poll(() => form.getByLabel(label, { exact: false }).first().getAttribute("required"))
      .toBe("");
  }
  for (const label of ["Start Date", "End Date"]) {
    await expect.poll(() => form.getByLabel(label).getAttribute("type")).toBe("datetime-local");
  }
  await form.getByLabel("Title").fill("Never saved");
  await form.getByRole("button", { name: "Cancel" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add Advertisement" }).click();
  await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("");
  await page.route("**/api/ads", (route) => route.abort());
  await form.getByLabel("Title").fill("Not saved either");
  await form.getByLabel("Type").selectOption("banner");
  await form.getByLabel("Placement").selectOption("header");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByRole("alert").getByText("Failed to save ad", { exact: true }).waitFor();
  await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("Not saved either");
});

test("stores page and filters in the URL, and preserves them in dialogs and on reload", async () => {
  for (let n = 1; n <= 20; n += 1) await site.createAd({ title: `Ad ${n}` });
  await site.createAd({ title: "Red banner" });
  await site.createAd({ title: "Blue popup", type: "popup", placement: "footer", isActive: false });
  await page.goto(`${app.url}/admin/ads`);
  await page.getByText("Red banner").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Edit Ad 1", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?page=2");
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("Red banner").waitFor();
  await page.getByLabel("Type").selectOption("popup");
  await page.getByText("Red banner").waitFor({ state: "detached" });
  await page.getByLabel("Placement").selectOption("footer");
  await page.getByLabel("Active", { exact: true }).selectOption("false");
  await page.getByLabel("Search ads").fill("blue");
  await page.waitForURL(/search=blue/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    type: "popup",
    placement: "footer",
    active: "false",
    search: "blue",
  });
  await page.reload();
  await page.getByText("Blue popup").waitFor();
  await page.getByLabel("Search ads").fill("nothing");
  await page.getByText("No ads found").waitFor();
});

test("shows failures in a red banner with the specified texts", async () => {
  await site.createAd({ title: "Kept" });
  await page.route("**/api/ads?**", (route) =>
    route.fulfill({ status: 500, json: { message: "x" } }),
  );
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("alert").getByText("Failed to fetch ads", { exact: true }).waitFor();
  await page.unroute("**/api/ads?**");
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByText("Kept").waitFor();
  await page.route("**/api/ads/*", (route) =>
    route.fulfill({ status: 500, json: { message: "x" } }),
  );
  await page.getByRole("button", { name: "Delete Kept" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const expectFailure = async (text: string) => {
    await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    await page.getByRole("alert").getByText("x", { exact: true }).waitFor();
  };
  await expectFailure("Failed to delete ad");
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expectFailure("Failed to save ad");
  await page.getByRole("button", { name: "Edit Kept" }).click();
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByText("Failed to save ad").first().waitFor();
});

test("shows statistics as a chart and a table, and exports them as CSV", async () => {
  const { id } = await site.createAd({ title: "Measured" });
  const visitor = createClient(app.url);
  const browser = { "user-agent": userAgent };
  const report = async (events: string[], headers = browser, body: object = {}) => {
    const { serve } = (await visitor.call("GET", "/api/spots/public?placement=header")).json;
    for (const event of events) {
      await visitor.call("POST", `/api/spots/${id}/${event}`, { serve, ...body }, headers);
    }
  };
  for (let at = 0; at < 3; at += 1) await report(["impression"]);
  await report(["impression", "click"]);
  await report(["event"], browser, { event: "error", cause: "timeout" });
  await report(["impression"], { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  for (let at = 0; at < 2; at += 1) {
    await createClient(app.url).call("POST", `/api/ads/${id}/impression`, undefined, browser);
  }
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("button", { name: "Statistics for Measured" }).click();
  await page.getByRole("slider", { name: "Impressions per day" }).waitFor();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.innerText()).toContain("25.00%");
  const rows = dialog
    .getByRole("table", { name: "Verified, unverified and bot events" })
    .getByRole("row");
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
  );
  expect(cells).toEqual([[], ["4", "1"], ["2", "0"], ["1", "0"]]);
  const causes = dialog.getByRole("table", { name: "Errors by cause" }).getByRole("row");
  await causes.filter({ hasText: "Too slow" }).getByRole("cell", { name: "1" }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

test("tests a tag and shows the chain, the chosen file and each problem in plain words", async () => {
  server.documents.set("inner", inlineVast(server, "tested", 8));
  server.documents.set("outer", wrapperVast(server, "outer", `${server.url}/tag/inner`));
  server.documents.set("broken", wrapperVast(server, "broken", `${server.url}/tag/absent`));
  await page.goto(`${app.url}/admin/ads`);
  await page.getByRole("button", { name: "Test a VAST tag" }).click();
  const test = async (path: string) => {
    await page.getByLabel("VAST tag URL").fill(server.url + path);
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page
      .getByRole("button", { name: "Test", exact: true })
      .and(page.locator(":enabled"))
      .waitFor();
  };
  const dialog = page.getByRole("dialog");
  await test("/tag/outer");
  await dialog.getByText(`${server.url}/video/8.mp4`).waitFor();
  await dialog.getByText("Wrapper 1").waitFor();
  await test("/tag/broken");
  await dialog.getByText("No ad. The video starts right away.").waitFor();
  await dialog.getByText("responded 404. (301)").waitFor();
  await test("/closed/inner");
  await dialog.getByText("Neither this browser nor your server can read the tag.").waitFor();
});
