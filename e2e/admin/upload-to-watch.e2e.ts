import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { openAdmin } from "../support/admin-support.ts";
import { quarterTurn, setMatrix } from "#test/mp4-edits.ts";
import { aac, h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { findCorpus } from "#test/shared-material.ts";
import { closeVisitors, expectNoProblems, openVisitor } from "../support/browser.ts";
import { readVideo, waitForFrames } from "../support/playback.ts";

interface Upload {
  file: string;
  path(): Promise<string>;
  durationS: number;
  isTall: boolean;
}

const rotated = async () =>
  setMatrix(
    "rotated-phone.mp4",
    await encodeClip("phone.mp4", [...picture("320x180", 2), ...tone(2), ...h264, ...aac]),
    quarterTurn,
  );
const corpus = findCorpus("media");
const uploads: Upload[] = [
  { file: "rotated-phone.mp4", path: rotated, durationS: 2, isTall: true },
  { file: "mpeg4.avi", path: sampleVideos.mpeg4.make, durationS: 1, isTall: false },
  { file: "vp8.webm", path: sampleVideos.vp8.make, durationS: 1, isTall: false },
  { file: "pcm.mov", path: sampleVideos.pcm.make, durationS: 1, isTall: false },
];
const phoneFile = "rotate-buck-bunny.mp4";
if (corpus !== null) {
  const path = () => Promise.resolve(join(corpus, phoneFile));
  uploads.push({ file: phoneFile, path, durationS: 2.005, isTall: true });
}

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ pages: true, work: true });
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
});

/** Returns the slug of a video that visitors can find. Null until they can see it. */
async function findSlug(title: string): Promise<string | null> {
  const response = await fetch(`${app.url}/api/videos?search=${encodeURIComponent(title)}`);
  const { videos } = (await response.json()) as { videos: { slug: string; title: string }[] };
  return videos.find((video) => video.title === title)?.slug ?? null;
}

describe("an admin uploads a video and visitors watch it", () => {
  it.each(uploads)(
    "$file",
    async ({ file, path, durationS, isTall }) => {
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
      await admin.page
        .getByRole("alertdialog")
        .or(admin.page.getByRole("dialog"))
        .getByRole("button", { name: /^(Publish|OK|Yes|Confirm)/ })
        .click();
      await row.getByRole("button", { name: /Published/ }).waitFor();
      expectNoProblems(admin);
      await admin.close();

      await expect.poll(() => findSlug(title), { interval: 500 }).not.toBeNull();
      const slug = await findSlug(title);

      const visitor = await openVisitor(app.url, { canAutoplayWithSound: true });
      await visitor.page.goto("/home");
      await visitor.page
        .getByRole("link", { name: new RegExp(file.replace(/[.]/g, "\\.")) })
        .first()
        .click();
      await visitor.page.waitForURL(`**/video/${slug}`);
      await visitor.page.getByRole("heading", { level: 1, name: title }).waitFor();
      // The page starts playing automatically.
      await waitForFrames(visitor.page, 10);
      const seen = await readVideo(visitor.page);
      expect(seen.currentTime).toBeGreaterThan(0);
      expect(Math.abs(seen.duration - durationS)).toBeLessThan(Math.max(0.1, durationS * 0.05));
      expect(seen.height > seen.width).toBe(isTall);
      expect(seen.audioBytes).toBeGreaterThan(0);
      expectNoProblems(visitor);
      await visitor.close();
    },
    240_000,
  );
});
