import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { JobName } from "#server/jobs/queue.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { severalSounds } from "#test/sample-videos.ts";
import { openSettings } from "../support/player-settings.ts";
import { desktop, phone } from "../support/browser.ts";
import { activeVideo, openPlayingFeed } from "../support/feed-screen.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const durationS = 8;

/** Site with a fully processed video that has several audio tracks. */
const site = shareSite(async (app) => {
  // Adds neighbors for the feed.
  await addShortClips(app, 2);
  const { id } = await makeVideo(app.db, {
    slug: "sounds",
    title: "Several sounds",
    status: "processing",
    progress: 0,
    progressive_key: null,
    thumbnail_key: null,
    source_key: null,
  });
  await app.context.storage.putFile(sourceKey(id), await severalSounds(durationS));
  const steps: JobName[] = ["video.publish", "video.finish"];
  for (const name of steps) {
    await app.runJob(name, { videoId: id, waits: 0 });
  }
});

const player = ".player video";

/** Records the audio files that a page loads, in order. */
function watchSounds(page: Page): string[] {
  const loaded: string[] = [];
  page.on("request", (request) => {
    const name = /\/(audio[\w-]*)\.mp4$/.exec(new URL(request.url()).pathname)?.[1];
    if (name !== undefined) loaded.push(name);
  });
  return loaded;
}

async function openVideo(page: Page): Promise<void> {
  await page.goto(`${site.url}/video/sounds`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await waitForPlaying(page, player);
  await openSettings(page, "Sound");
}

const sounds = (page: Page) => page.getByRole("group", { name: "Sound" });
const chosen = (page: Page) => sounds(page).locator('[aria-checked="true"]').allTextContents();

test.each([
  ["a phone", phone],
  ["a desktop", desktop],
])("changes the audio track on %s and remembers it for the next visit", async (_, screen) => {
  await using visit = await site.open(screen);
  const { page } = visit;
  const loaded = watchSounds(page);
  const expectLoaded = async (name: string) => {
    await expect.poll(() => loaded.at(-1)).toBe(name);
  };
  await openVideo(page);
  await expect
    .poll(() => sounds(page).getByRole("menuitemradio").allTextContents())
    .toEqual(["English", "Deutsch (dub)", "English (audio description)", "English 5.1"]);
  await expect.poll(() => chosen(page)).toEqual(["English"]);
  await sounds(page).getByRole("menuitemradio", { name: "Deutsch (dub)" }).click();
  await expectLoaded("audio-2");
  await sounds(page).getByRole("menuitemradio", { name: "English 5.1" }).click();
  await expectLoaded("audio-surround");
  await sounds(page).getByRole("menuitemradio", { name: "English (audio description)" }).click();
  await expectLoaded("audio-3");

  loaded.length = 0;
  await openVideo(page);
  await expect.poll(() => chosen(page)).toEqual(["English (audio description)"]);
  await expectLoaded("audio-3");
});

test("plays such a video with its default audio in the feed", async () => {
  const { page } = await site.open(phone);
  const loaded = watchSounds(page);
  await openPlayingFeed(page, `${site.url}/feed/sounds`);
  await page.getByRole("button", { name: "Unmute" }).first().click();
  const isHeard = () =>
    page.locator(activeVideo).evaluate((media: HTMLVideoElement) => !media.muted && !media.paused);
  await expect.poll(isHeard).toBe(true);
  expect(loaded.filter((name) => name !== "audio")).toEqual([]);
});
