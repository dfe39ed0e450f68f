import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { addClip } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, provoked } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";

const site = shareSite((app) => addClip(app, "long", { title: "A long one", slug: "long" }));

const player = ".player video";
const position = (page: Page) =>
  page
    .locator(player)
    .first()
    .evaluate((media: HTMLVideoElement) => media.currentTime);

/** Opens the long video and waits until it plays from the adaptive ladder. */
async function openOnLadder(page: Page): Promise<void> {
  await page.goto(`${site.url}/video/long`);
  await waitForPlaying(page, player);
  await expect
    .poll(() =>
      page
        .locator(player)
        .first()
        .evaluate((media: HTMLVideoElement) => media.currentSrc),
    )
    .toMatch(/^blob:/);
  await waitForPlaying(page, player);
}

/** Handles requests for all segments until the returned function is called. */
async function breakSegments(page: Page, respond: (route: Route) => Promise<void>) {
  let isBroken = true;
  await page.route(/\/rung\d.*\.m4s/, (route) => (isBroken ? respond(route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

const fault = (page: Page) => page.locator(".player-fault");

/** Expects the video to play at the requested position without a fault. */
async function expectRecovered(page: Page, from: number): Promise<void> {
  await waitForPlaying(page, player);
  await expect.poll(() => fault(page).count()).toBe(0);
  await expect.poll(() => page.locator(".player-loading").count()).toBe(0);
  await expect.poll(() => position(page)).toBeGreaterThan(from);
}

/** Responds with as many bytes as requested, which aren't a segment. */
function sendNoise(route: Route): Promise<void> {
  const [, from = "0", to = "0"] =
    /bytes=(\d+)-(\d+)/.exec(route.request().headers()["range"] ?? "") ?? [];
  return route.fulfill({
    status: 206,
    headers: { "content-range": `bytes ${from}-${to}/100000000` },
    contentType: "video/mp4",
    body: Buffer.alloc(Number(to) - Number(from) + 1, 0x5a),
  });
}

test("shows a fault for damaged segments, then continues with the file for the rest of the visit", async () => {
  await using visit = await site.open({ ...desktop, expectProblems: provoked });
  const { page } = visit;
  await openOnLadder(page);
  await breakSegments(page, sendNoise);
  // The key seeks to a position that isn't buffered.
  await page.keyboard.press("9");
  await expect.poll(() => fault(page).textContent()).toContain("Part of this video is damaged");
  await expectRecovered(page, 60);
  const source = () => page.locator(player).first().getAttribute("src");
  expect(await source()).toMatch(/play\.mp4$/);
  await page.reload();
  await waitForPlaying(page, player);
  expect(await source()).toMatch(/play\.mp4$/);
});

test("shows a fault for missing segments and while offline, and plays once it is over", async () => {
  await using visit = await site.open({ ...desktop, expectProblems: provoked });
  const { page } = visit;
  await openOnLadder(page);
  const putBack = await breakSegments(page, (route) => route.fulfill({ status: 404, body: "" }));
  await page.keyboard.press("5");
  await expect
    .poll(() => fault(page).textContent())
    .toContain("Part of this video can't be loaded");
  putBack();
  await expectRecovered(page, 36);

  await page.context().setOffline(true);
  await page.keyboard.press("3");
  await expect.poll(() => fault(page).textContent()).toContain("You're offline");
  await page.context().setOffline(false);
  await expectRecovered(page, 21);
});

test("shows a fault while a server sends nothing, and plays once it responds", async () => {
  const { page } = await site.open({ ...desktop, expectProblems: provoked });
  await openOnLadder(page);
  const repair = await breakSegments(page, () => new Promise(() => {}));
  await page.keyboard.press("9");
  // Until the fault is detected, the loading overlay with the thumbnail covers the video.
  const thumbnail = page.locator(".player-loading img");
  await thumbnail.waitFor();
  await expect.poll(() => thumbnail.getAttribute("src")).toMatch(/poster\.jpg$/);
  await waitForStopped(page, player);
  await expect.poll(() => fault(page).textContent()).toContain("Connection lost");
  await expect.poll(() => page.locator(".player-loading").count()).toBe(0);
  repair();
  await expectRecovered(page, 60);
});
