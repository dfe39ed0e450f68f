import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  activeItem,
  activeVideo,
  countInSight,
  mountedItems,
  openFeed,
  openPlayingFeed,
  shownItem,
  swipe,
  waitForItem,
} from "../support/feed-screen.ts";
import {
  desktop,
  framesWithin,
  openPage,
  phone,
  waitForPlaying,
  waitForStanding,
} from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addShortClips } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 12);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

describe("moving through the feed", () => {
  test("/ and /feed are the same feed, one item fills the screen", async () => {
    for (const path of ["/", "/feed"]) {
      await using visit = await openPage(browser, phone);
      await openPlayingFeed(visit.page, app.url + path);
      expect(await visit.page.locator("h1").textContent()).toBe("For You");
      const box = await visit.page.locator(activeItem).boundingBox();
      const bar = await visit.page.locator("nav[aria-label=Tabs]").boundingBox();
      expect(box?.width).toBe(390);
      expect(Math.round((box?.height ?? 0) + (bar?.height ?? 0))).toBe(844);
      expect(await countInSight(visit.page)).toBe(1);
      expect(visit.problems).toEqual([]);
    }
  });

  test("on a desktop it stands in a 9:16 frame with panels beside it, and shows the product's name", async () => {
    await using visit = await openPage(browser, desktop);
    await openFeed(visit.page, app.url);
    const box = await visit.page.locator(activeItem).boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(9 / 16, 2);
    await expect(visit.page.locator(".feed-label").textContent()).resolves.toContain("Kinora");
    const { slug } = await shownItem(visit.page);
    const details = visit.page.locator("aside[aria-label=Details]");
    expect(await details.isVisible()).toBe(true);
    expect(await details.locator("a").first().getAttribute("href")).toBe(`/video/${slug}`);
    expect(await visit.page.locator("aside[aria-label='Up next']").isVisible()).toBe(true);
  });

  test("a swipe of more than 50 px moves one item, up and down", async () => {
    await using visit = await openPage(browser, phone);
    await openPlayingFeed(visit.page, app.url);
    for (const [way, ms, number] of [
      [300, 160, 2],
      [320, 90, 3],
      [-300, 160, 2],
    ] as const) {
      await swipe(visit.page, way, ms);
      await waitForItem(visit.page, number);
      await waitForPlaying(visit.page, activeVideo);
      await waitForStanding(visit.page, ".feed-item:not([data-active]) video");
      expect(await countInSight(visit.page)).toBe(1);
    }
  });

  test("a slow swipe of 51 px moves as well, one of 50 px does not, fast or slow", async () => {
    await using visit = await openPage(browser, phone);
    await openPlayingFeed(visit.page, app.url);
    await swipe(visit.page, 51, 900);
    await waitForItem(visit.page, 2);
    await waitForPlaying(visit.page, activeVideo);
    for (const ms of [900, 60]) {
      await swipe(visit.page, 50, ms);
      await visit.page.waitForTimeout(1200);
      await waitForItem(visit.page, 2);
      await waitForPlaying(visit.page, activeVideo);
    }
  });

  test("the first item stays when it is pulled down", async () => {
    await using visit = await openPage(browser, phone);
    await openFeed(visit.page, app.url);
    await swipe(visit.page, -300);
    await visit.page.waitForTimeout(1000);
    await waitForItem(visit.page, 1);
  });

  test("the wheel moves one item a notch", async () => {
    await using visit = await openPage(browser, desktop);
    await openPlayingFeed(visit.page, app.url);
    await visit.page.mouse.move(720, 450);
    for (const [delta, number] of [
      [120, 2],
      [120, 3],
      [-120, 2],
    ] as const) {
      await visit.page.mouse.wheel(0, delta);
      await waitForItem(visit.page, number);
      await visit.page.waitForTimeout(350);
    }
  });

  test("arrow keys and the buttons move one item", async () => {
    await using visit = await openPage(browser, desktop);
    await openPlayingFeed(visit.page, app.url);
    const { page } = visit;
    expect(await page.getByRole("button", { name: "Previous video" }).isDisabled()).toBe(true);
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
    await waitForStanding(page, ".feed-item:not([data-active]) video");
  });

  test("three presses in a row are three items", async () => {
    await using visit = await openPage(browser, desktop);
    await openFeed(visit.page, app.url);
    for (let press = 0; press < 3; press += 1) await visit.page.keyboard.press("ArrowDown");
    await waitForItem(visit.page, 4);
    await waitForPlaying(visit.page, activeVideo);
  });

  test("never while typing in a field", async () => {
    await using visit = await openPage(browser, desktop);
    await openPlayingFeed(visit.page, app.url);
    const field = visit.page.getByRole("searchbox").first();
    await field.focus();
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.keyboard.type(" m l");
    await waitForItem(visit.page, 1);
    expect(await field.inputValue()).toBe(" m l");
    expect((await framesWithin(visit.page, activeVideo, 500)).count).toBeGreaterThan(3);
    expect(
      await visit.page.locator(activeVideo).evaluate((video: HTMLVideoElement) => video.muted),
    ).toBe(true);
  });

  test("only the current item and one neighbour on each side are kept", async () => {
    await using visit = await openPage(browser, desktop);
    await openFeed(visit.page, app.url);
    const numbers = () =>
      visit.page
        .locator(mountedItems)
        .evaluateAll((items) =>
          items.map((item) => Number(item.getAttribute("aria-posinset"))).sort((a, b) => a - b),
        );
    expect(await numbers()).toEqual([1, 2]);
    for (const number of [2, 3, 4, 5]) {
      await visit.page.keyboard.press("ArrowDown");
      await waitForItem(visit.page, number);
      expect(await numbers()).toEqual([number - 1, number, number + 1]);
      expect(await visit.page.locator("video").count()).toBe(3);
    }
  });

  test("a screen reader hears title and position of each item", async () => {
    await using visit = await openPage(browser, desktop);
    await openFeed(visit.page, app.url);
    const { page } = visit;
    expect(await page.getByRole("feed").getAttribute("aria-label")).toBe("Videos for you");
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    const item = page.locator(activeItem);
    const title = await item.locator("h2").textContent();
    expect(await page.locator("[aria-live=polite][aria-atomic=true]").textContent()).toBe(
      `${title}. Item 2.`,
    );
    expect(await page.getByRole("article").and(item).count()).toBe(1);
    expect(await item.getAttribute("aria-posinset")).toBe("2");
    expect(await item.getAttribute("aria-setsize")).toBe("-1");
    const labelId = (await item.getAttribute("aria-labelledby")) ?? "";
    expect(await page.locator(`[id="${labelId}"]`).textContent()).toBe(title);
  });

  test("turning the phone keeps the item", async () => {
    await using visit = await openPage(browser, phone);
    await openPlayingFeed(visit.page, app.url);
    await swipe(visit.page, 300);
    await waitForItem(visit.page, 2);
    await visit.page.setViewportSize({ width: 844, height: 390 });
    await waitForItem(visit.page, 2);
    await visit.page.setViewportSize({ width: 390, height: 844 });
    await waitForItem(visit.page, 2);
  });
});
