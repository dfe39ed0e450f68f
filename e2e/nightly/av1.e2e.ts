import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import type { JobName } from "#server/jobs/queue.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { createClient, type TestApp } from "#test/app.ts";
import { encodeClip, hasEncoder } from "#test/clip-cache.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { aac, h264, hdrClip, picture, tone } from "#test/sample-videos.ts";
import { openSettings } from "../support/player-settings.ts";
import { openAdmin } from "../support/admin-support.ts";
import { desktop, phone } from "../support/browser.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

// Encodes run at the lowest priority, so they wait for everything else on a busy machine.
vi.setConfig({ hookTimeout: 400_000 });

const canEncode = await hasEncoder("libsvtav1");
const durationS = 62;

/** Adds a fully processed video on a site with AV1 renditions. */
async function addAv1(
  app: TestApp,
  slug: string,
  clip: string,
  large?: (master: string) => string,
): Promise<void> {
  const { id } = await makeVideo(app.db, {
    slug,
    title: slug,
    status: "processing",
    progress: 0,
    progressive_key: null,
    thumbnail_key: null,
    source_key: null,
    ladder_crf: 18,
  });
  await app.context.storage.putFile(sourceKey(id), clip);
  const run = async (...names: JobName[]) => {
    for (const name of names) {
      await app.runJob(name, { videoId: id, waits: 0 });
    }
  };
  await run("video.publish", "video.encode", "video.finish");
  // A large difference, so that it holds for any encoder.
  await changeVideo(app.db, id, { ladder_crf: 28 });
  if (large !== undefined) await addLarge(app, id, large);
  await run("video.efficient");
}

/** Stores a playlist that declares larger renditions. */
async function addLarge(
  { context, database }: TestApp,
  id: string,
  write: (master: string) => string,
): Promise<void> {
  const { hls_key: key } = await database.db
    .selectFrom("videos")
    .select("hls_key")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const master = (await context.storage.readBytes(key ?? "", 1e6)).toString();
  const largeKey = (key ?? "").replace("master.m3u8", "large.m3u8");
  await context.storage.putBytes(largeKey, write(master));
}

/**
 * Returns a playlist with two renditions of the same file. The second one declares twice the lines.
 */
function claimLarger(master: string): string {
  const [variant = ""] = /#EXT-X-STREAM-INF:.*\n\S+\n/.exec(master) ?? [];
  return master + variant.replace("RESOLUTION=160x90", "RESOLUTION=320x180");
}

const site = shareSite(async (app) => {
  if (!canEncode) return;
  // Adds other videos for the page.
  await addShortClips(app, 2);
  const admin = createClient(app.url, await app.signIn());
  await admin.call("POST", "/api/settings", { efficientRenditions: "idle" });
  const usual = await encodeClip(`efficient-${durationS}.mp4`, [
    ...[...picture("320x180", durationS, 10), ...tone(durationS), ...h264, ...aac],
  ]);
  await addAv1(app, "efficient", usual);
  await addAv1(app, "hdr", await hdrClip(durationS), claimLarger);
});

const player = ".player video";

/** Records the renditions that a page loads. */
function watchRenditions(page: Page): Set<string> {
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!/\/hls\/.*\bv\d+\.(mp4|m3u8)$/.test(pathname)) return;
    const isAv1 = pathname.includes("/hls/av1/");
    loaded.add(pathname.includes("/hls/av1/hdr/") ? "HDR" : isAv1 ? "AV1" : "H.264");
  });
  return loaded;
}

/** Plays a video until the ladder has taken over. */
async function playLadder(page: Page, slug = "efficient"): Promise<void> {
  await page.goto(`${site.url}/video/${slug}`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await waitForPlaying(page, player);
  await expect
    .poll(() => page.locator(player).evaluate((media: HTMLVideoElement) => media.currentSrc))
    .toMatch(/^blob:/);
  await waitForPlaying(page, player);
}

/** Returns whether this browser reports AV1 as playable. Very slow machines may not. */
const decodesAv1 = (page: Page, codec = "av01.0.00M.08"): Promise<boolean> =>
  page.evaluate(async (codecs) => {
    const contentType = `video/mp4; codecs="${codecs}"`;
    const { supported, smooth } = await navigator.mediaCapabilities.decodingInfo({
      type: "media-source",
      video: { contentType, width: 320, height: 180, bitrate: 100_000, framerate: 10 },
    });
    return supported && smooth;
  }, codec);

test.skipIf(!canEncode)("plays AV1 only on a desktop that decodes it", async ({ skip }) => {
  const { page } = await site.open(desktop);
  const loaded = watchRenditions(page);
  await playLadder(page);
  skip(!(await decodesAv1(page)), "this browser decodes no AV1");
  expect([...loaded]).toEqual(["AV1"]);
  const size = await page
    .locator(player)
    .evaluate(({ videoWidth, videoHeight }: HTMLVideoElement) => [videoWidth, videoHeight]);
  expect(size).toEqual([320, 180]);
});

test.skipIf(!canEncode)("plays H.264 on a phone without an AV1 chip", async () => {
  const { page } = await site.open(phone);
  const loaded = watchRenditions(page);
  await playLadder(page);
  expect([...loaded]).toEqual(["H.264"]);
});

test.skipIf(!canEncode)("loads no HDR renditions on a screen without HDR", async () => {
  const { page } = await site.open(desktop);
  const loaded = watchRenditions(page);
  await playLadder(page, "hdr");
  expect([...loaded]).not.toContain("HDR");
  expect(loaded.size).toBe(1);
});

test.skipIf(!canEncode)("plays only HDR renditions on a screen with HDR", async ({ skip }) => {
  const { page } = await site.open(desktop);
  // The test's browser has no HDR screen.
  await page.addInitScript(() => {
    const ask = globalThis.matchMedia.bind(globalThis);
    globalThis.matchMedia = (query) => ask(query === "(dynamic-range: high)" ? "all" : query);
  });
  const loaded = watchRenditions(page);
  await playLadder(page, "hdr");
  skip(!(await decodesAv1(page, "av01.0.00M.10")), "this browser decodes no AV1 of 10 bits");
  expect([...loaded]).toEqual(["HDR"]);

  // The HDR ladder of this video ends at 90 lines.
  await openSettings(page, "Quality");
  await page.getByRole("menuitemradio", { name: "180p", exact: true }).click();
  await expect.poll(() => [...loaded]).toEqual(["HDR", "H.264"]);
  await expect.poll(() => page.locator("video").count()).toBe(1);
  await waitForPlaying(page, player);

  loaded.clear();
  await page.getByRole("menuitemradio", { name: /^Auto/ }).click();
  await expect.poll(() => [...loaded]).toContain("HDR");
  await expect.poll(() => page.locator("video").count()).toBe(1);
  await waitForPlaying(page, player);
});

test.skipIf(!canEncode)("shows the AV1 setting and its savings in the back office", async () => {
  const { page } = await openAdmin(site.app, { path: "/admin/settings" });
  const mode = page.getByLabel("Efficient renditions (AV1)");
  await expect.poll(() => mode.inputValue()).toBe("idle");
  await mode.selectOption("off");
  await page.getByRole("button", { name: "Save Originals and renditions" }).click();
  await page.getByText("Settings saved successfully!").waitFor();
  await page.reload();
  await expect.poll(() => mode.inputValue()).toBe("off");

  const { id } = await site.app.db
    .selectFrom("videos")
    .select("id")
    .where("slug", "=", "efficient")
    .executeTakeFirstOrThrow();
  await page.goto(`/admin/videos/${id}`);
  const files = page.getByRole("region", { name: "Files" });
  await files.getByText("AV1 rendition 180p", { exact: true }).waitFor();
  await files
    .getByText(/^Browsers that support AV1 download \d+% less video data: .* instead of /)
    .waitFor();
});
