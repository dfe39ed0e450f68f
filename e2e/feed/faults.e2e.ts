import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  activeItem,
  activeVideo,
  openFeed,
  shownItem,
  waitForItem,
  waitForLiveFeed,
} from "../support/feed-screen.ts";
import { desktop, openPage, waitForPlaying, waitForStanding } from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addShortClips } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;
/** Where each clip's file lies, by slug. */
const files = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  for (const row of await addShortClips(app, 8)) {
    files.set(row.slug, `/media/${row.progressive_key}`);
  }
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const fileOf = (slug: string | null) => files.get(slug ?? "") ?? "nothing";

/** Takes the place of one file until the fault is over. */
async function breakFile(page: Page, path: string, answer: (route: Route) => Promise<void>) {
  let isBroken = true;
  await page.route(`**${path}`, (route) => (isBroken ? answer(route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

/** The next swipe leads away from whatever went wrong, to a clip that plays. */
async function leaveByNextMove(page: Page): Promise<void> {
  const { number } = await shownItem(page);
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, number + 1);
  await waitForPlaying(page, activeVideo);
}

describe("faults in the feed", () => {
  test("a file that is not there: said, left by the next swipe, and recovered when it is back", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const mend = await breakFile(page, fileOf("clip-1"), (route) =>
      route.fulfill({ status: 404, body: "" }),
    );
    await page.goto(`${app.url}/feed/clip-1`);
    const said = page.locator(`${activeItem} .player-fault`);
    await said.waitFor();
    expect(await said.textContent()).toContain("A part of this video cannot be loaded");
    await leaveByNextMove(page);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 1);
    mend();
    await waitForPlaying(page, activeVideo);
    expect(await said.count()).toBe(0);
  });

  test("a server that answers nothing: said, and recovered when it answers", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const mend = await breakFile(page, fileOf("clip-2"), () => new Promise(() => {}));
    await page.goto(`${app.url}/feed/clip-2`, { waitUntil: "commit" });
    await waitForLiveFeed(page);
    const thumbnail = page.locator(`${activeItem} .player-loading img`);
    await thumbnail.waitFor();
    expect(await thumbnail.getAttribute("src")).toMatch(/poster\.jpg$/);
    await waitForStanding(page, activeVideo);
    const said = page.locator(`${activeItem} .player-fault`);
    await said.waitFor();
    expect(await said.textContent()).toContain("The connection has stalled");
    mend();
    await waitForPlaying(page, activeVideo);
    expect(await said.count()).toBe(0);
  });

  test("a damaged file: said, and left by the next swipe", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const noise = Buffer.alloc(60_000, 0x5a);
    const mend = await breakFile(page, fileOf("clip-3"), (route) =>
      route.fulfill({ status: 200, contentType: "video/mp4", body: noise }),
    );
    await page.goto(`${app.url}/feed/clip-3`);
    const said = page.locator(`${activeItem} .player-fault`);
    await said.waitFor();
    expect(await said.textContent()).toMatch(/cannot be played here|is damaged/);
    await leaveByNextMove(page);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 1);
    mend();
    const retry = said.getByRole("button", { name: "Try again" });
    if ((await said.count()) > 0) await retry.click();
    await waitForPlaying(page, activeVideo);
  });

  test("off-line in the middle: what is not loaded says so, and plays when the line is back", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openFeed(page, `${app.url}/feed/clip-4`);
    await waitForPlaying(page, activeVideo);
    await page.context().setOffline(true);
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    const said = page.locator(`${activeItem} .player-fault`);
    await said.waitFor();
    expect(await said.textContent()).toContain("You are offline");
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await page.context().setOffline(false);
    await waitForPlaying(page, activeVideo);
    expect(await said.count()).toBe(0);
  });
});
