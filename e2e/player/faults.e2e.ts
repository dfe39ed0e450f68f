import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import { desktop, openPage, waitForPlaying, waitForStanding } from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addClip } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addClip(app, "long", { title: "A long one", slug: "long" });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const picture = ".player video";
const position = (page: Page) =>
  page
    .locator(picture)
    .first()
    .evaluate((media: HTMLVideoElement) => media.currentTime);

/** Playing out of the adaptive ladder, segment by segment. */
async function openOnLadder(page: Page): Promise<void> {
  await page.goto(`${app.url}/video/long`);
  await waitForPlaying(page, picture);
  await expect
    .poll(
      () =>
        page
          .locator(picture)
          .first()
          .evaluate((media: HTMLVideoElement) => media.currentSrc),
      { timeout: 20_000 },
    )
    .toMatch(/^blob:/);
  await waitForPlaying(page, picture);
}

/** Stands in for every segment until the fault is over. */
async function breakSegments(page: Page, answer: (route: Route) => Promise<void>) {
  let isBroken = true;
  await page.route(/\/rung\d.*\.m4s/, (route) => (isBroken ? answer(route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

/** To a place that is not loaded, so that only new segments can show it. */
const jumpAhead = (page: Page) => page.keyboard.press("9");
const fault = (page: Page) => page.locator(".player-fault");

/** The picture moves again, at the place that was asked for, and nothing is said any more. */
async function expectRecovered(page: Page): Promise<void> {
  await waitForPlaying(page, picture);
  await expect.poll(() => fault(page).count()).toBe(0);
  expect(await page.locator(".player-loading").count()).toBe(0);
  expect(await position(page)).toBeGreaterThan(60);
}

describe("faults of a long video", () => {
  test("a segment that is not there: said, and recovered when it is back", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openOnLadder(page);
    const mend = await breakSegments(page, (route) => route.fulfill({ status: 404, body: "" }));
    await jumpAhead(page);
    await fault(page).waitFor();
    expect(await fault(page).textContent()).toContain("A part of this video cannot be loaded");
    mend();
    await expectRecovered(page);
  });

  test("a damaged segment: said, and recovered when it is whole", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openOnLadder(page);
    const mend = await breakSegments(page, (route) => {
      const [, from = "0", to = "0"] =
        /bytes=(\d+)-(\d+)/.exec(route.request().headers()["range"] ?? "") ?? [];
      const size = Number(to) - Number(from) + 1;
      return route.fulfill({
        status: 206,
        headers: { "content-range": `bytes ${from}-${to}/100000000` },
        contentType: "video/mp4",
        body: Buffer.alloc(size, 0x5a),
      });
    });
    await jumpAhead(page);
    await fault(page).waitFor({ timeout: 20_000 });
    expect(await fault(page).textContent()).toContain("A part of this video is damaged");
    mend();
    await expectRecovered(page);
  });

  test("a server that answers nothing: said, and recovered when it answers", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openOnLadder(page);
    const mend = await breakSegments(page, () => new Promise(() => {}));
    await jumpAhead(page);
    // While it is looked for, the loading overlay with the thumbnail stands over the picture.
    const thumbnail = page.locator(".player-loading img");
    await thumbnail.waitFor();
    expect(await thumbnail.getAttribute("src")).toMatch(/poster\.jpg$/);
    await waitForStanding(page, picture);
    await fault(page).waitFor({ timeout: 20_000 });
    expect(await page.locator(".player-loading").count()).toBe(0);
    expect(await fault(page).textContent()).toContain("The connection has stalled");
    mend();
    await expectRecovered(page);
  });

  test("off-line in the middle: said, and it goes on when the line is back", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openOnLadder(page);
    await page.context().setOffline(true);
    await jumpAhead(page);
    await fault(page).waitFor({ timeout: 20_000 });
    expect(await fault(page).textContent()).toContain("You are offline");
    await page.context().setOffline(false);
    await expectRecovered(page);
  });
});
