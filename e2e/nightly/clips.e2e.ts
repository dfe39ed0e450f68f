import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { patienceMs } from "#test/patience.ts";
import { makeFolder } from "#test/shared.ts";
import { makeClip, uploadVideo, useAdmin } from "../support/admin-support.ts";
import { phone } from "../support/browser.ts";
import { activeItem } from "../support/feed-screen.ts";
import { shareSite } from "../support/shared-site.ts";

let page: Page;
const site = shareSite(async () => {}, { work: true });
const { app } = site;
const dir = makeFolder("clips");
beforeAll(async () => {
  const file = join(dir, "harbor.mp4");
  await makeClip(file, 6);
  await uploadVideo(app, file, { title: "Harbor", isPublished: "true", tags: "boats" });
});
// The list may request the thumbnail of a video that the test has just deleted.
const admin = useAdmin(app, {
  path: "/admin/videos",
  expectProblems: /Failed to load resource.*\b404\b/,
});
beforeAll(() => {
  page = admin.page;
});

const publish = async (slug: string) =>
  createClient(app.url, await app.signIn()).call("PUT", `/api/videos/${slug}`, {
    isPublished: true,
  });

const waitForFiles = async (title: string): Promise<void> => {
  await expect
    .poll(
      () =>
        app.db
          .selectFrom("videos")
          .select(["progress", "failure_reason"])
          .where("title", "=", title)
          .executeTakeFirst(),
      { timeout: patienceMs },
    )
    .toEqual({ progress: 1, failure_reason: null });
};

it(
  "makes a clip while watching, by keyboard, and leads from the feed to the whole video",
  async () => {
    await waitForFiles("Harbor");
    await publish("harbor");
    await page.goto("/video/harbor");
    const player = page.locator(".video-page-player video");
    await player.waitFor();
    await player.evaluate((video: HTMLVideoElement) => {
      video.pause();
      video.currentTime = 2;
    });
    await page.getByRole("button", { name: "More about this video" }).press("Enter");
    await page.getByRole("menuitem", { name: "Make a clip" }).press("Enter");
    await page.getByRole("heading", { name: "Make a clip" }).waitFor();
    await expect
      .poll(() => page.getByLabel("Start", { exact: true }).inputValue())
      .toMatch(/^0:02\.\d{3}$/);

    const frame = page.getByRole("slider", { name: "Frame of the clip" });
    await frame.press("Shift+ArrowLeft");
    expect(await frame.getAttribute("aria-valuetext")).toBe("40% from the left, 50% from the top");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("At the quay");
    await page.getByRole("button", { name: "Use this frame as thumbnail" }).press("Enter");
    await page.getByRole("button", { name: "Make the clip" }).press("Enter");

    await page.getByRole("heading", { name: "At the quay" }).waitFor();
    await page.getByText("From: Harbor, at 0:02").waitFor();
    await waitForFiles("At the quay");
    const { json: clip } = await createClient(app.url, await app.signIn()).call(
      "GET",
      "/api/videos/at-the-quay",
    );
    // Size of the largest upright window of 320 x 180.
    expect([clip.width, clip.height]).toEqual([102, 180]);
    expect(clip).toMatchObject({ isPublished: false, tags: [{ tag: { name: "boats" } }] });

    await publish("at-the-quay");
    const visitor = await site.open(phone);
    await visitor.page.goto("/feed/at-the-quay");
    await visitor.page
      .locator(activeItem)
      .getByRole("link", { name: "Watch the whole video" })
      .click();
    await visitor.page.waitForURL(/\/video\/harbor\?t=2$/);
    await visitor.page
      .getByRole("region", { name: "Clips from this video" })
      .getByRole("link", { name: "At the quay" })
      .waitFor();
  },
  patienceMs * 3,
);

it(
  "asks what becomes of the clips when their video is deleted for good",
  async () => {
    await page.goto("/admin/videos");
    await page.getByRole("button", { name: "Delete Harbor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Delete the clips" }).check();
    await dialog.getByRole("button", { name: /^Delete/ }).click();
    await expect
      .poll(() => app.db.selectFrom("removed_videos").select(["title", "clips"]).execute())
      .toEqual([{ title: "Harbor", clips: "remove" }]);
    await expect
      .poll(async () => (await fetch(`${app.url}/api/videos/at-the-quay`)).status)
      .toBe(404);
  },
  patienceMs * 2,
);
