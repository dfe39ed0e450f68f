import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import { makeAd } from "../../test/factories/make-ad.ts";
import { startAdServer, type AdServer } from "../support/ads-server.ts";
import {
  activeItem,
  activeVideo,
  countInSight,
  openFeed,
  openPlayingFeed,
  shownItem,
  waitForItem,
  waitForLiveFeed,
} from "../support/feed-screen.ts";
import { desktop, openPage, waitForPlaying, waitForStanding } from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addShortClips } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;
let server: AdServer;

beforeEach(async () => {
  app = await startTestApp({ pages: true });
  [browser, server] = await Promise.all([launchChromium(), startAdServer()]);
});
afterEach(async () => {
  await browser?.close();
  await server?.stop();
  await app?.stop();
});

/** Down to this item, from the first one. */
async function moveDownTo(page: Page, last: number): Promise<void> {
  for (let number = 2; number <= last; number += 1) {
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, number);
  }
}

const clips = ".feed-media";
const film = `${activeItem} .spot-break video`;

/** An ad for the feed with a film of so many seconds. */
async function addFilmAd(seconds: number): Promise<void> {
  await makeAd(app.database.db, {
    title: `A film of ${seconds} s`,
    type: "video",
    placement: "feed",
    link_url: null,
    vast_tag_url: `${server.url}/video/${seconds}.mp4`,
  });
}

describe("what is in the feed", () => {
  test("after every third video one of at most five ads in rotation", async () => {
    await addShortClips(app, 14);
    for (let index = 0; index < 7; index += 1) {
      await makeAd(app.database.db, {
        title: `Offer ${index}`,
        type: "banner",
        placement: "feed",
        link_url: "https://example.test/",
      });
    }
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const kinds: string[] = [];
    const titles: string[] = [];
    for (let number = 1; number <= 24; number += 1) {
      await waitForItem(page, number);
      const { kind } = await shownItem(page);
      kinds.push(kind);
      if (kind === "ad") {
        const heading = page.locator(".feed-item[data-active] h2").last();
        await heading.waitFor({ state: "attached" });
        titles.push((await heading.textContent()) ?? "");
        expect(await page.locator(".feed-item[data-active]").textContent()).toContain(
          "Advertisement",
        );
      }
      await page.keyboard.press("ArrowDown");
    }
    expect(kinds).toEqual(
      Array.from({ length: 24 }, (_, index) => (index % 4 === 3 ? "ad" : "video")),
    );
    // Six ads out of five: the sixth is the first again.
    expect(new Set(titles.slice(0, 5)).size).toBe(5);
    expect(titles[5]).toBe(titles[0]);
    await expect
      .poll(async () => {
        const rows = await app.database.db.selectFrom("ads").select("impressions").execute();
        return rows.reduce((sum, { impressions }) => sum + impressions, 0);
      })
      .toBe(6);
    expect(visit.problems).toEqual([]);
  });

  test("an ad has the screen to itself: no clip plays behind it, and the next one plays after it", async () => {
    await addShortClips(app, 8);
    await makeAd(app.database.db, {
      title: "Alone",
      type: "banner",
      placement: "feed",
      link_url: `${server.url}/landing`,
    });
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await moveDownTo(page, 4);
    await page.locator(activeItem, { hasText: "Alone" }).waitFor();
    const boxOf = (query: string) => page.locator(query).boundingBox();
    expect(await boxOf(`${activeItem} .spot-feed`)).toEqual(await boxOf("[role=feed]"));
    expect(await countInSight(page)).toBe(1);
    await waitForStanding(page, clips);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 4);
    await waitForStanding(page, clips);
    const [landing] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator(`${activeItem} .spot-feed-foot a`).click(),
    ]);
    await landing.waitForURL(`${server.url}/landing`);
    expect(await landing.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
    await landing.close();
    await expect
      .poll(() => app.database.db.selectFrom("ads").select(["impressions", "clicks"]).execute())
      .toEqual([{ impressions: 1, clicks: 1 }]);
    expect(visit.problems).toEqual([]);
  });

  test("a sponsored film plays as an item of its own, silent as the feed, and at its end the feed goes on", async () => {
    await addShortClips(app, 8);
    await addFilmAd(8);
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await moveDownTo(page, 4);
    await waitForPlaying(page, film);
    expect(await page.locator(film).evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
    expect(await page.locator(activeItem).textContent()).toContain("Advertisement");
    await waitForStanding(page, clips);
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
    expect(await page.locator(film).count()).toBe(0);
    await expect
      .poll(() => app.database.db.selectFrom("ads").select("impressions").execute())
      .toEqual([{ impressions: 1 }]);
    expect(visit.problems).toEqual([]);
  });

  test("a sponsored film can be skipped after its countdown, and left at any moment", async () => {
    await addShortClips(app, 8);
    await addFilmAd(30);
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await moveDownTo(page, 4);
    await waitForPlaying(page, film);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await waitForPlaying(page, activeVideo);
    await waitForStanding(page, ".feed-item:not([data-active]) video");
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await page.getByRole("button", { name: /^Skip in [1-5]s$/ }).waitFor();
    await waitForPlaying(page, film);
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
    expect(visit.problems).toEqual([]);
  });

  test("the player of the feed has no ads of its own: neither before a clip nor behind it", async () => {
    await addShortClips(app, 3);
    for (const placement of ["preroll", "midroll", "postroll"] as const) {
      await makeAd(app.database.db, { type: "video", placement, title: "Not here" });
    }
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await openPlayingFeed(page, app.url);
    const ended = page.locator(activeVideo).evaluate((video: HTMLVideoElement) =>
      new Promise((resolve) => {
        video.addEventListener("ended", resolve, { once: true });
        video.currentTime = video.duration - 0.5;
      }).then(() => true),
    );
    expect(await ended).toBe(true);
    await waitForPlaying(page, activeVideo);
    expect(await page.locator(".spot-break").count()).toBe(0);
    expect(asked.filter((path) => /^\/api\/(spots|ads)|midroll/.test(path))).toEqual([]);
  });

  test("a blocked call for ads leaves a feed of videos", async () => {
    await addShortClips(app, 8);
    await makeAd(app.database.db, { type: "banner", placement: "feed" });
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await page.route("**/api/spots/**", (route) => route.abort("blockedbyclient"));
    await openFeed(page, app.url);
    for (let number = 2; number <= 6; number += 1) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      expect((await shownItem(page)).kind).toBe("video");
    }
  });

  test("it never ends: the next page is fetched before the last clip, and everything begins anew", async () => {
    await addShortClips(app, 25);
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const cursors: boolean[] = [];
    const sizes: number[] = [];
    page.on("response", async (response) => {
      const url = new URL(response.url());
      if (url.pathname !== "/api/feed") return;
      cursors.push(url.searchParams.has("cursor"));
      const { videos }: { videos: unknown[] } = await response.json();
      sizes.push(videos.length);
    });
    await openFeed(page, app.url);
    const seen: (string | null)[] = [(await shownItem(page)).slug];
    for (let number = 2; number <= 40; number += 1) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      seen.push((await shownItem(page)).slug);
      expect(await page.locator(".feed-item:not([hidden])").count()).toBe(3);
    }
    // Each clip once before any comes a second time; never the same one twice in a row.
    expect(new Set(seen.slice(0, 25)).size).toBe(25);
    expect(seen.some((slug, index) => index > 0 && slug === seen[index - 1])).toBe(false);
    expect(cursors.slice(0, 2)).toEqual([false, true]);
    expect(sizes[0]).toBe(20);
  });

  test("an empty site says No content available", async () => {
    await using visit = await openPage(browser, desktop);
    await visit.page.goto(app.url);
    await visit.page.getByRole("heading", { name: "No content available" }).waitFor();
    expect(await visit.page.locator(".feed-item:not([hidden])").count()).toBe(0);
    expect(visit.problems).toEqual([]);
  });

  test("a failure says Failed to load content, and the button tries again", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    let isBroken = true;
    await page.route("**/api/feed?*", (route) =>
      isBroken ? route.fulfill({ status: 503, json: { message: "no" } }) : route.continue(),
    );
    await page.route("**/api/feed", (route) =>
      isBroken ? route.fulfill({ status: 503, json: { message: "no" } }) : route.continue(),
    );
    // The page itself comes from before the first video was published.
    await page.goto(app.url);
    await page.getByRole("heading", { name: "Failed to load content" }).waitFor();
    await addShortClips(app, 4);
    await app.context.changed();
    isBroken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await waitForPlaying(page, activeVideo);
    expect(await page.getByText("Failed to load content").count()).toBe(0);
  });

  test("a failure at the end of what is there does not take away the clip that plays", async () => {
    await addShortClips(app, 12);
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    let isBroken = true;
    await page.route("**/api/feed?*", (route) => (isBroken ? route.abort() : route.continue()));
    await page.goto(app.url);
    await waitForLiveFeed(page);
    for (const number of [2, 3]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    await page.getByText("Failed to load content").waitFor();
    await waitForPlaying(page, activeVideo);
    isBroken = false;
    const answered = page.waitForResponse((response) => response.url().includes("/api/feed"));
    await page.getByRole("button", { name: "Try again" }).click();
    await answered;
    await page.waitForSelector("[role=feed][aria-busy=false]");
    expect(await page.getByText("Failed to load content").count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
  });
});
