import { join } from "node:path";
import type { FileChooser, Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { makeClip, openAdmin } from "../support/admin-support.ts";
import { screens } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { makeFolder } from "#test/shared.ts";

/** These tests only use the keyboard. The Tab key must reach everything. */

const dir = makeFolder("keyboard");

const app = usePages();
beforeAll(async () => {
  await makeClip(join(dir, "evening.mp4"));
});

const holdsFocus = (box: Locator) =>
  box.evaluate((element) => element.contains(element.ownerDocument.activeElement));
const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Waits until a dialog has the focus, which it takes a moment after it appears. */
async function enter(dialog: Locator, sign: Locator): Promise<void> {
  await sign.waitFor();
  await expect.poll(() => holdsFocus(dialog)).toBe(true);
}

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`60 times ${key} did not lead to ${target.toString()}`);
}

it("opens the drawer on a phone, keeps the focus in it, opens a page and returns the focus", async () => {
  const { page } = await openAdmin(app, { viewport: screens.phone });
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  const opener = page.getByRole("button", { name: "Open menu" });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog");
  const tags = drawer.getByRole("link", { name: "Tags", exact: true });
  await enter(drawer, tags);
  // Goes through one full cycle. Nothing behind the drawer may get the focus.
  for (let presses = 0; presses < 15; presses += 1) {
    await page.keyboard.press("Tab");
    await expect.poll(() => holdsFocus(drawer)).toBe(true);
  }
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(opener)).toBe(true);

  await page.keyboard.press("Enter");
  await enter(drawer, tags);
  await tabTo(page, tags);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Manage Tags" }).waitFor();
  await drawer.waitFor({ state: "hidden" });
});

it("completes an upload", async () => {
  const { page } = await openAdmin(app);
  // Starts waiting before the click, because the file chooser opens a moment later.
  const chooser = Promise.withResolvers<FileChooser>();
  page.once("filechooser", (asked) => chooser.resolve(asked));
  await page.goto("/admin/videos");
  await tabTo(page, page.getByRole("button", { name: "Upload Video" }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Upload Video" });
  const choose = dialog.getByRole("button", { name: "Choose File" });
  await enter(dialog, choose);
  await tabTo(page, choose);
  await page.keyboard.press("Enter");
  await (await chooser.promise).setFiles(join(dir, "evening.mp4"));
  await dialog.getByRole("img", { name: "Thumbnail for evening.mp4" }).waitFor();
  await tabTo(page, dialog.getByRole("button", { name: "Continue" }));
  await page.keyboard.press("Enter");

  await enter(dialog, dialog.getByLabel("Title"));
  await tabTo(page, dialog.getByLabel("Title"));
  await page.keyboard.type("By keyboard alone");
  await tabTo(page, dialog.getByLabel("Description"));
  await page.keyboard.type("No mouse was near.");
  await tabTo(page, dialog.getByLabel("Tags"));
  await page.keyboard.type("keys");
  await tabTo(page, dialog.getByLabel("Premium Content"));
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Upload Video" }));
  await page.keyboard.press("Enter");
  await page.getByText("Video uploaded successfully").waitFor();
  await dialog.waitFor({ state: "hidden" });
  const video = await app.db
    .selectFrom("videos")
    .select(["title", "description", "is_premium"])
    .executeTakeFirstOrThrow();
  expect(video).toEqual({
    title: "By keyboard alone",
    description: "No mouse was near.",
    is_premium: true,
  });
});
