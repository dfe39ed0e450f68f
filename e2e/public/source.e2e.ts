import { afterAll, beforeAll, expect, it } from "vitest";
import { textsOf } from "#texts/languages.ts";
import type { TestApp } from "#test/app.ts";
import { root } from "#test/harness/server-process.ts";
import { archiveSource } from "../../setup/source-archive.mjs";
import { openAdmin } from "../support/admin-support.ts";
import { serveThumbnails, startPublicSite } from "../support/public-site.ts";

const arabic = textsOf("ar");
import { closeVisitors, openVisitor, screens } from "../support/browser.ts";

let app: TestApp;

beforeAll(async () => {
  archiveSource(root);
  app = await startPublicSite();
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
});

it("links to the source code from every kind of page and lets visitors download it", async () => {
  const { page } = await openVisitor(app.url);
  await serveThumbnails(page);
  for (const path of ["/home", "/video/study-30"]) {
    await page.goto(path);
    const link = page.getByRole("contentinfo").getByRole("link", { name: "Source", exact: true });
    await expect.poll(() => link.getAttribute("href")).toBe("/source");
    await expect.poll(() => link.isVisible()).toBe(true);
  }
  // The feed has no footer, so the link is in the menu of a clip, on phones too.
  for (const size of [screens.laptop, screens.phone]) {
    await page.setViewportSize(size);
    await page.goto("/feed");
    await page.getByRole("button", { name: "More about this video" }).first().click();
    const item = page.getByRole("menuitem", { name: "Source", exact: true });
    await expect.poll(() => item.getAttribute("href")).toBe("/source");
  }
  await page.setViewportSize(screens.laptop);
  await page.goto("/home");
  await page.getByRole("contentinfo").getByRole("link", { name: "Source", exact: true }).click();
  await page.getByRole("heading", { name: "Source" }).waitFor();
  await page.getByText(/This site runs Kinora \d+\.\d+\.\d+\./).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the source code of this site" }).click();
  expect((await downloading).suggestedFilename()).toBe("source.tar.gz");
});

it("offers the source code in the language of the page", async () => {
  const { page } = await openVisitor(app.url);
  await page.goto("/ar/source");
  await page.getByText(arabic.source.contents).waitFor();
  const link = page.getByRole("link", { name: arabic.source.download });
  await expect.poll(() => link.getAttribute("href")).toBe("/source.tar.gz");
});

it("links to the address of Settings, in the back office too", async () => {
  const { page } = await openAdmin(app);
  // The settings page contains a preview of the site, which loads thumbnails.
  await serveThumbnails(page);
  await page.goto("/admin/settings");
  await page.getByLabel("Source code URL").fill("https://code.example/kinora");
  await page.getByRole("button", { name: "Save Legal" }).click();
  await page.getByText("Settings saved successfully!").waitFor();
  await page.reload();
  const link = page.getByRole("link", { name: "Source", exact: true });
  await expect.poll(() => link.getAttribute("href")).toBe("https://code.example/kinora");
});
