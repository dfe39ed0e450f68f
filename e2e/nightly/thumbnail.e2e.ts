import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { limits } from "#contract/limits.ts";
import { newToken } from "#server/lib/ids.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeClip, useAdmin } from "../support/admin-support.ts";
import { openVisitor, provoked } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";
import { makeFolder } from "#test/shared.ts";

let page: Page;
let dialog: Locator;
const dir = makeFolder("thumbnail");
let slug: string;

const app = usePages();
beforeAll(async () => {
  const token = newToken();
  const key = `v/${token}/play.mp4`;
  await makeClip(join(dir, "play.mp4"), 6);
  await app.context.storage.putFile(key, join(dir, "play.mp4"), { consume: true });
  const video = await makeVideo(app.db, {
    title: "Faceless",
    duration_s: 6,
    media_token: token,
    progressive_key: key,
    thumbnail_key: null,
  });
  ({ slug } = video);
});
const admin = useAdmin(app, { expectProblems: provoked });
beforeAll(() => {
  page = admin.page;
  dialog = page.getByRole("dialog", { name: "Change thumbnail" });
});

async function open(): Promise<void> {
  await page.goto("/admin/videos");
  await page.getByRole("button", { name: "More actions for Faceless" }).click();
  await page.getByRole("menuitem", { name: "Change thumbnail" }).click();
  await dialog.waitFor();
}
const use = () => dialog.getByRole("button", { name: "Use as thumbnail" });

/** Returns the URL of the row's picture once it has been drawn, without the back office's ticket. */
async function shownInRow(): Promise<string> {
  const image = page.getByRole("row").filter({ hasText: "Faceless" }).locator("img");
  await image.waitFor();
  await expect
    .poll(() =>
      image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBeGreaterThan(0);
  return ((await image.getAttribute("src")) ?? "").replace(/\/ticket\/[^/]+/, "");
}

it("uses one of six frames of the video as its thumbnail everywhere", async () => {
  await open();
  await expect.poll(() => use().isDisabled()).toBe(true);
  const frames = dialog.getByRole("list", { name: "Frames" }).getByRole("button");
  await expect.poll(() => frames.count()).toBe(6);
  await frames.nth(3).click();
  await dialog.getByRole("img", { name: "Frame at 0:03" }).waitFor();
  await use().click();
  await page.getByText("Thumbnail changed").waitFor();
  await dialog.waitFor({ state: "hidden" });
  const src = await shownInRow();
  // Visitors see the same image before they press play.
  const { page: home } = await openVisitor(app.url);
  const shown = async () => {
    await home.goto(`/video/${slug}`);
    return home.content();
  };
  await expect.poll(shown).toContain(src);
  // Cards load the smallest file type.
  const card = home.getByRole("link", { name: /Faceless/ }).locator("picture img");
  const loaded = async () => {
    await home.goto("/home");
    return card.evaluate(async (element) => {
      const image = element as unknown as { decode(): Promise<void>; currentSrc: string };
      await image.decode();
      return image.currentSrc;
    });
  };
  await expect.poll(loaded).toMatch(/\/w\d+\.avif$/);
});

it("uses a frame at any other time, chosen by keyboard", async () => {
  await open();
  const slider = dialog.getByRole("slider", { name: "Different time" });
  await slider.focus();
  await slider.press("End");
  await dialog.getByRole("img", { name: "Frame at 0:05" }).waitFor();
  await use().press("Enter");
  await page.getByText("Thumbnail changed").waitFor();
});

it("uploads a picture from this computer, and reports an invalid one", async () => {
  await promisify(execFile)(process.env["FFMPEG_PATH"] ?? "ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", "color=red:s=1280x720", "-frames:v", "1"],
    join(dir, "red.png"),
  ]);
  await writeFile(join(dir, "text.png"), "no picture at all");
  await writeFile(join(dir, "large.png"), Buffer.alloc(limits.maxThumbnailBytes + 1));
  await page.goto("/admin/videos");
  const before = await shownInRow();
  await open();
  const choose = (name: string) =>
    dialog.locator("input[type=file]").setInputFiles(join(dir, name));
  await choose("large.png");
  await page.getByText(/^"large.png" is .* MB. The maximum is 5.00 MB.$/).waitFor();
  await choose("text.png");
  await use().click();
  await page.getByText(/^Failed to change thumbnail: /).waitFor();
  await choose("red.png");
  await dialog.getByRole("img", { name: "red.png" }).waitFor();
  await use().click();
  await page.getByText("Thumbnail changed").waitFor();
  await expect.poll(shownInRow).not.toBe(before);
});

it("reports that there is nothing to choose from yet", async () => {
  await makeVideo(app.db, {
    title: "Not playable",
    progressive_key: null,
    thumbnail_key: null,
  });
  await page.goto("/admin/videos");
  await page.getByRole("button", { name: "More actions for Not playable" }).click();
  await page.getByRole("menuitem", { name: "Change thumbnail" }).click();
  await dialog.getByText("You can choose a frame once the video is playable.").waitFor();
});
