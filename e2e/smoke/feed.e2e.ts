import { expect, test } from "vitest";
import { desktop, phone } from "../support/browser.ts";
import {
  activeVideo,
  countInSight,
  openPlayingFeed,
  swipe,
  waitForItem,
} from "../support/feed-screen.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite((app) => addShortClips(app, 6));

test("moves one item on a swipe of more than 50 px, up and down", async () => {
  const { page } = await site.open(phone);
  await openPlayingFeed(page, site.url);
  for (const [way, ms, number] of [
    [300, 160, 2],
    [320, 90, 3],
    [-300, 160, 2],
  ] as const) {
    await swipe(page, way, ms);
    await waitForItem(page, number);
    await waitForPlaying(page, activeVideo);
    await waitForStopped(page, ".feed-item:not([data-active]) video");
    await expect.poll(() => countInSight(page)).toBe(1);
  }
});

test("moves one item with the arrow keys and buttons", async () => {
  const visit = await site.open(desktop);
  await openPlayingFeed(visit.page, site.url);
  const { page } = visit;
  await expect
    .poll(() => page.getByRole("button", { name: "Previous video" }).isDisabled())
    .toBe(true);
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, 2);
  await page.keyboard.press("ArrowUp");
  await waitForItem(page, 1);
  await waitForPlaying(page, activeVideo);
  await page.getByRole("button", { name: "Next video" }).click();
  await waitForItem(page, 2);
  await waitForPlaying(page, activeVideo);
  await page.getByRole("button", { name: "Previous video" }).click();
  await waitForItem(page, 1);
  await waitForPlaying(page, activeVideo);
  await waitForStopped(page, ".feed-item:not([data-active]) video");
});
