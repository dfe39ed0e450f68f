import { expect } from "vitest";
import type { TestApp } from "#test/app.ts";
import { openAdmin } from "./admin-support.ts";
import { openVisitor } from "./browser.ts";
import { readVideo, waitForFrames } from "./playback.ts";

export interface Upload {
  file: string;
  path(): Promise<string>;
  durationS: number;
  isTall: boolean;
}

/** Uploads and publishes a video as an admin, then finds and plays it as a visitor. */
export async function uploadAndWatch(app: TestApp, upload: Upload): Promise<void> {
  const { file, path, durationS, isTall } = upload;
  const title = `Upload of ${file}`;
  const admin = await openAdmin(app, { path: "/admin/videos" });
  await admin.page.getByRole("button", { name: "Upload Video" }).first().click();
  await admin.page
    .locator("input[type=file]")
    .first()
    .setInputFiles(await path());
  await admin.page.getByRole("button", { name: "Continue" }).click();
  await admin.page.getByLabel("Title").fill(title);
  await admin.page.getByLabel("Categories").fill("Uploads, Tests");
  await admin.page.getByRole("button", { name: "Upload Video" }).last().click();

  const row = admin.page.getByRole("row").filter({ hasText: title });
  await row.waitFor();
  await row.getByRole("button", { name: /Draft/ }).click();
  await admin.page.getByText(`Are you sure you want to publish "${title}"?`).waitFor();
  await admin.page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await row.getByRole("button", { name: /Published/ }).waitFor();
  await admin.close();

  await expect.poll(() => findSlug(app, title), { interval: 500 }).not.toBeNull();
  const slug = await findSlug(app, title);

  const { page } = await openVisitor(app.url, { canAutoplayWithSound: true });
  await page.goto("/home");
  await page
    .getByRole("link", { name: new RegExp(file.replace(/[.]/g, "\\.")) })
    .first()
    .click();
  await page.waitForURL(`**/video/${slug}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  // The page starts playing automatically.
  await waitForFrames(page, 10);
  const seen = await readVideo(page);
  expect(seen.currentTime).toBeGreaterThan(0);
  expect(Math.abs(seen.duration - durationS)).toBeLessThan(Math.max(0.1, durationS * 0.05));
  expect(seen.height > seen.width).toBe(isTall);
  expect(seen.audioBytes).toBeGreaterThan(0);
}

/** Returns the slug of a video that visitors can find. Null until they can see it. */
async function findSlug(app: TestApp, title: string): Promise<string | null> {
  const response = await fetch(`${app.url}/api/videos?search=${encodeURIComponent(title)}`);
  const { videos } = (await response.json()) as { videos: { slug: string; title: string }[] };
  return videos.find((video) => video.title === title)?.slug ?? null;
}
