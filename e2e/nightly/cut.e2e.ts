import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { patienceMs } from "#test/patience.ts";
import { makeFolder } from "#test/shared.ts";
import { makeClip, uploadVideo, useAdmin } from "../support/admin-support.ts";
import { usePages } from "../support/shared-site.ts";

let page: Page;
let id = "";
const app = usePages({ work: true });
const dir = makeFolder("cut");
beforeAll(async () => {
  const clip = join(dir, "harbor.mp4");
  await makeClip(clip, 2);
  id = await uploadVideo(app, clip, { title: "Harbor", description: "0:00 Start\n0:01 End" });
});
const admin = useAdmin(app, { path: "/admin/videos" });
beforeAll(() => {
  page = admin.page;
});

/** Waits until all files of a video are made and it has this length, in tenths of a second. */
const waitForFiles = async (title: string, tenths: number): Promise<void> => {
  await expect
    .poll(
      async () => {
        const row = await app.db
          .selectFrom("videos")
          .select(["progress", "duration_s"])
          .where("title", "=", title)
          .executeTakeFirst();
        return [row?.progress, Math.round((row?.duration_s ?? 0) * 10)];
      },
      { timeout: patienceMs },
    )
    .toEqual([1, tenths]);
};

const fill = async (label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press("Enter");
};

it(
  "cuts a video by keyboard, plays what remains, and undoes the cut",
  async () => {
    await waitForFiles("Harbor", 20);
    await page.goto(`/admin/videos/${id}`);
    await page.getByRole("link", { name: "Cut", exact: true }).click();
    await page.getByRole("heading", { name: "Cut: Harbor" }).waitFor();
    await fill("Start", "0:00.5");
    // The playlist has 24 frames per second.
    const start = page.getByRole("slider", { name: "Start of the selection" });
    await start.focus();
    await expect
      .poll(async () => {
        await page.keyboard.press("Home");
        for (let frame = 0; frame < 12; frame += 1) await page.keyboard.press(".");
        return start.getAttribute("aria-valuetext");
      })
      .toBe("0:00.500");
    await fill("End", "0:01.0");
    await page.getByRole("button", { name: "Remove selection" }).click();
    await page.getByText("0:01.500 remain of 0:02.000").waitFor();

    // The preview skips removed parts of the current files.
    await page.getByRole("button", { name: "Preview result" }).click();
    await page.waitForFunction(
      () => {
        const video = document.querySelector("video");
        return video !== null && video.paused && video.currentTime > 1;
      },
      undefined,
      { timeout: patienceMs },
    );

    await page.getByRole("button", { name: "Save as this video" }).click();
    const dialog = page.getByRole("dialog", { name: "Cut this video" });
    await dialog.getByText("You can undo the cut at any time").waitFor();
    await dialog.getByRole("button", { name: "Cut video" }).click();
    await page.getByText("Cutting the video.").first().waitFor();
    await waitForFiles("Harbor", 15);

    await page.goto(`/admin/videos/${id}/cut`);
    await page.getByText("This video is already cut to 2 parts.").waitFor();
    await page.getByRole("button", { name: "Undo cut" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo cut" }).click();
    await waitForFiles("Harbor", 20);
  },
  patienceMs * 3,
);

it(
  "saves parts as a draft and leaves the video alone",
  async () => {
    await page.goto(`/admin/videos/${id}/cut`);
    await page.getByRole("heading", { name: "Cut: Harbor" }).waitFor();
    await fill("End", "0:01.2");
    await page.getByRole("button", { name: "Keep only selection" }).click();
    await page.getByRole("button", { name: "Save as new draft" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { name: "Harbor (cut)" }).waitFor();
    await waitForFiles("Harbor (cut)", 12);
    await waitForFiles("Harbor", 20);
  },
  patienceMs * 2,
);
