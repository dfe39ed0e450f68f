import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { JobName } from "../../src/server/jobs/job-definition.ts";
import { sourceKey } from "../../src/server/storage/media-keys.ts";
import { makeVideo } from "../../test/factories/make-video.ts";
import { severalSounds } from "../../test/sample-videos.ts";
import { expectAccessible } from "../support/accessible.ts";
import { desktop, phone } from "../support/browser.ts";
import { activeVideo, openPlayingFeed } from "../support/feed-screen.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const durationS = 12;

/** A video with everything that processing makes of a file with several sounds. */
const site = shareSite(async (app) => {
  // The feed has neighbors.
  await addShortClips(app, 2);
  const { db } = app.database;
  const { id } = await makeVideo(db, {
    ...{ slug: "sounds", title: "Several sounds", status: "processing", progress: 0 },
    ...{ progressive_key: null, thumbnail_key: null, source_key: null },
  });
  await app.context.storage.putFile(sourceKey(id), await severalSounds(durationS));
  const steps: JobName[] = ["video.publish", "video.finish"];
  for (const name of steps) {
    const job = app.context.jobs.find((each) => each.name === name);
    await job?.run({ videoId: id, waits: 0 }, { signal: new AbortController().signal });
  }
});

const player = ".player video";

/**
 * The tone that a video plays, in Hz: the frequency with the highest peak. On a busy machine the video may
 * end before its sound has changed; it begins again then.
 */
const heardHz = (page: Page, selector = player) =>
  page
    .locator(selector)
    .first()
    .evaluate(async (media: HTMLVideoElement & { tone?: AnalyserNode }) => {
      if (media.tone === undefined) {
        const context = new AudioContext();
        await context.resume();
        media.tone = context.createAnalyser();
        media.tone.fftSize = 8192;
        context.createMediaElementSource(media).connect(media.tone);
        media.tone.connect(context.destination);
      }
      if (media.ended) {
        media.currentTime = 0;
        await media.play();
      }
      const levels = new Float32Array(media.tone.frequencyBinCount);
      media.tone.getFloatFrequencyData(levels);
      const loudest = levels.indexOf(Math.max(...levels));
      return Math.round((loudest * media.tone.context.sampleRate) / media.tone.fftSize / 100) * 100;
    });

async function openVideo(page: Page): Promise<void> {
  await page.goto(`${site.url}/video/sounds`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await waitForPlaying(page, player);
  await page.locator(".player-touch").hover();
  await page.getByRole("button", { name: "Settings" }).click();
}

const sounds = (page: Page) => page.getByRole("group", { name: "Sound" });
const chosen = (page: Page) => sounds(page).locator('[aria-checked="true"]').allTextContents();

test.each([
  ["a phone", phone],
  ["a desktop", desktop],
])(
  "on %s another sound is chosen in the menu, heard, and kept for the next visit",
  async (_, screen) => {
    await using visit = await site.open(screen);
    const { page } = visit;
    await openVideo(page);
    await expect
      .poll(() => sounds(page).getByRole("menuitemradio").allTextContents())
      .toEqual(["English", "Deutsch (dub)", "English (audio description)", "English 5.1"]);
    await expect.poll(() => chosen(page)).toEqual(["English"]);
    await expectAccessible(page, ".player");
    await sounds(page).getByRole("menuitemradio", { name: "Deutsch (dub)" }).click();
    await expect.poll(() => heardHz(page), { timeout: 20_000 }).toBe(700);
    await sounds(page).getByRole("menuitemradio", { name: "English 5.1" }).click();
    await expect.poll(() => heardHz(page), { timeout: 20_000 }).toBe(300);
    await sounds(page).getByRole("menuitemradio", { name: "English (audio description)" }).click();
    await expect.poll(() => heardHz(page), { timeout: 20_000 }).toBe(1100);

    await openVideo(page);
    await expect.poll(() => chosen(page)).toEqual(["English (audio description)"]);
    await expect.poll(() => heardHz(page), { timeout: 20_000 }).toBe(1100);
    expect(visit.problems).toEqual([]);
  },
);

test("the feed plays such a video with its default sound", async () => {
  await using visit = await site.open(phone);
  const { page } = visit;
  await openPlayingFeed(page, `${site.url}/feed/sounds`);
  await page.getByRole("button", { name: "Unmute" }).first().click();
  await expect.poll(() => heardHz(page, activeVideo), { timeout: 20_000 }).toBe(300);
  expect(visit.problems).toEqual([]);
});
