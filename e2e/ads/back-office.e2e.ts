import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { createClient } from "#test/app.ts";
import { networkTag, startAdServer } from "../support/ads-server.ts";
import { useAdsSite } from "../support/ads-site.ts";

let page: Page;

const site = useAdsSite({ type: "banner", placement: "header" });
const { app, server, admin } = site;
beforeEach(async () => {
  ({ page } = site);
  const [name = "", value = ""] = site.adminCookie.split("=");
  await site.context.addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: "Lax" }]);
  const { user } = (await admin.call("GET", "/api/auth/session")).json;
  await site.context.addInitScript((known) => {
    // Frames of ads have no storage.
    if (self.origin !== "null") localStorage.setItem("user", JSON.stringify(known));
  }, user);
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
  await form.locator("summary", { hasText: "HTML" }).click();
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
  const log = await app.db.selectFrom("audit_log").select("action").execute();
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
  await form.locator("summary", { hasText: "HTML" }).click();
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
