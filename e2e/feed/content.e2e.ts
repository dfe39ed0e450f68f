import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { startAdServer, type AdServer } from "../support/ads-server.ts";
import {
  activeItem,
  activeVideo,
  countInSight,
  openFeed,
  openPlayingFeed,
  shownItem,
  swipe,
  waitForItem,
} from "../support/feed-screen.ts";
import { arabic } from "../support/languages.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone, screens, provoked } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";

const site = shareSite((app) => addShortClips(app, 8));
let server: AdServer;
beforeAll(async () => {
  server = await startAdServer();
});
afterAll(() => server?.stop());

async function moveDownFrom(page: Page, number: number): Promise<void> {
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, number + 1);
}

/** Moves from the first item down to this one. */
async function moveDownTo(page: Page, last: number): Promise<void> {
  for (let number = 1; number < last; number += 1) await moveDownFrom(page, number);
}

const clips = ".feed-media";
const adVideo = `${activeItem} .spot-break video`;

/** Replaces the ads of the site and waits until its pages show the new ones. */
async function setAds(...ads: Parameters<typeof makeAd>[1][]): Promise<void> {
  const { db } = site.app.database;
  await db.deleteFrom("ads").execute();
  for (const ad of ads) await makeAd(db, { placement: "feed", link_url: null, ...ad });
  await site.app.context.changed("everything");
  const marker = `"adSlots":[${ads.length === 0 ? "]" : '{"placement"'}`;
  await expect.poll(async () => (await fetch(site.url)).text()).toContain(marker);
}

const videoAd = (seconds: number) => ({
  title: `A video of ${seconds} s`,
  type: "video" as const,
  vast_tag_url: `${server.url}/video/${seconds}.mp4`,
});
const countsOf = () => site.app.db.selectFrom("ads").select(["impressions", "clicks"]).execute();

/** Expects that the popup covers no button or text, and that no button is cut off. Returns its box. */
async function expectUncovered(page: Page) {
  const popup = page.locator(".spot-popup");
  await popup.waitFor();
  const found = () =>
    page.evaluate(() => {
      const shown = (query: string) =>
        [...document.querySelectorAll(query)]
          .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0);
      const card = document.querySelector(".spot-popup")?.getBoundingClientRect();
      const cutOff = shown(".feed-item[data-active] .feed-rail-button, .feed-side button").filter(
        ({ box }) => box.top < 0 || box.bottom > innerHeight,
      );
      const covered = shown(
        ".feed-item[data-active] .feed-info > *, .feed-rail-button, .feed-moves button, .feed-next",
      ).filter(
        ({ box }) =>
          card === undefined ||
          (box.left < card.right &&
            box.right > card.left &&
            box.top < card.bottom &&
            box.bottom > card.top),
      );
      return [...cutOff, ...covered].map(({ text }) => text);
    });
  await expect.poll(found, { message: JSON.stringify(page.viewportSize()) }).toEqual([]);
  const box = await popup.boundingBox();
  if (box === null) throw new Error("no popup");
  return box;
}

describe("ads in the feed", () => {
  test("works without parts whose scripts failed to load", async () => {
    await setAds({ title: "Lost", type: "banner" });
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await openPlayingFeed(page, site.url);
    let lost = 0;
    await page.route("**/assets/*.js", async (route) => {
      lost += 1;
      await route.abort("internetdisconnected");
    });
    await page.getByRole("button", { name: "More" }).last().click();
    await expect.poll(() => lost).toBeGreaterThan(0);
    await moveDownTo(page, 4);
    expect((await shownItem(page)).kind).toBe("ad");
    await moveDownFrom(page, 4);
    await waitForPlaying(page, activeVideo);
  });

  test("shows an ad after every third video, counts it, and opens its page", async () => {
    await setAds({ title: "Alone", type: "banner", link_url: `${server.url}/landing` });
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    await moveDownTo(page, 4);
    await page.locator(activeItem, { hasText: "Alone" }).waitFor();
    await expect.poll(() => page.locator(activeItem).textContent()).toContain("Advertisement");
    // The item may still be moving in.
    const feed = await page.locator(".feed-scroller").boundingBox();
    await expect.poll(() => page.locator(`${activeItem} .spot-feed`).boundingBox()).toEqual(feed);
    await expect.poll(() => countInSight(page)).toBe(1);
    await waitForStopped(page, clips);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 4);
    await waitForStopped(page, clips);
    const [landing] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator(`${activeItem} .spot-feed-foot a`).click(),
    ]);
    await landing.waitForURL(`${server.url}/landing`);
    await expect
      .poll(() => landing.evaluate(() => [window.opener, document.referrer]))
      .toEqual([null, ""]);
    await landing.close();
    await expect.poll(countsOf).toEqual([{ impressions: 1, clicks: 1 }]);
    const kinds: string[] = [];
    for (const number of [5, 6, 7, 8]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      kinds.push((await shownItem(page)).kind);
    }
    expect(kinds).toEqual(["video", "video", "video", "ad"]);
    await expect.poll(countsOf).toEqual([{ impressions: 2, clicks: 1 }]);
  });

  test("plays a sponsored video muted as a separate item, then moves on", async () => {
    await setAds(videoAd(5));
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    await moveDownTo(page, 4);
    await waitForPlaying(page, adVideo);
    await expect
      .poll(() => page.locator(adVideo).evaluate((video: HTMLVideoElement) => video.muted))
      .toBe(true);
    await expect.poll(() => page.locator(activeItem).textContent()).toContain("Advertisement");
    await waitForStopped(page, clips);
    await page.keyboard.press("m");
    await page.locator(activeItem).getByRole("button", { name: "Mute" }).waitFor();
    expect(await page.locator(adVideo).evaluate((video: HTMLVideoElement) => video.muted)).toBe(
      false,
    );
    await page.keyboard.press(" ");
    await waitForStopped(page, adVideo);
    await page.keyboard.press(" ");
    await waitForPlaying(page, adVideo);
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => page.locator(adVideo).count()).toBe(0);
    await expect.poll(countsOf).toEqual([{ impressions: 1, clicks: 0 }]);
  });

  test("lets visitors skip a sponsored video after its countdown and leave it at any time", async () => {
    await setAds(videoAd(30));
    const { page } = await site.open(desktop);
    const offered = page.waitForResponse(/\/api\/(spots|ads)\/public/);
    await openPlayingFeed(page, site.url);
    await moveDownTo(page, 3);
    await offered;
    await moveDownFrom(page, 3);
    await waitForPlaying(page, adVideo);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await waitForPlaying(page, activeVideo);
    await waitForStopped(page, ".feed-item:not([data-active]) video");
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await page.getByRole("button", { name: /^Skip in [1-5]s$/ }).waitFor();
    await waitForPlaying(page, adVideo);
    await page.getByRole("button", { name: "Skip Ad" }).click();
    await waitForItem(page, 5);
    await waitForPlaying(page, activeVideo);
  });

  test("shows no ads in the feed's player, and repeats an ended clip", async () => {
    await setAds(
      ...(["preroll", "midroll", "postroll"] as const).map((placement) => ({
        type: "video" as const,
        placement,
        title: "Not here",
      })),
    );
    const { page } = await site.open(desktop);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await openPlayingFeed(page, site.url);
    const restartS = await page.locator(activeVideo).evaluate(
      (video: HTMLVideoElement) =>
        new Promise<number>((resolve) => {
          const onSeeked = () => resolve(video.currentTime);
          video.addEventListener(
            "ended",
            () => video.addEventListener("seeked", onSeeked, { once: true }),
            { once: true },
          );
          video.currentTime = video.duration - 0.5;
        }),
    );
    expect(restartS).toBeLessThan(0.5);
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => page.locator(".spot-break").count()).toBe(0);
    expect(requested.filter((path) => /^\/api\/(spots|ads)|midroll/.test(path))).toEqual([]);
  });

  test("leaves captions and buttons uncovered by a popup, and moves the feed on a swipe over it", async () => {
    await setAds({
      type: "popup",
      placement: "footer",
      title: "Over the feed",
      image_url: `${site.url}/social.png`,
    });
    // The page at several sizes: a screen at 200% zoom, and phones in landscape orientation.
    const wide = [
      screens.laptop,
      screens.tablet,
      { width: 720, height: 450 },
      { width: 844, height: 390 },
      { width: 640, height: 360 },
      { width: 320, height: 422 },
    ];
    for (const prefix of ["", "/ar"]) {
      await using visit = await site.open(desktop);
      const { page } = visit;
      await openFeed(page, site.url + prefix);
      for (const viewport of wide) {
        await page.setViewportSize(viewport);
        await expectUncovered(page);
      }

      await using other = await site.open(phone);
      await openPlayingFeed(other.page, site.url + prefix);
      const card = await expectUncovered(other.page);
      expect(card.width * card.height).toBeLessThan((390 * 844) / 5);
      await swipe(other.page, 200, 160, { x: card.x + 40, from: card.y + card.height - 20 });
      await waitForItem(other.page, 2);
      await waitForPlaying(other.page, activeVideo);
      await other.page.locator(`a[href="${prefix}/favorites"]:visible`).click();
      await other.page.waitForURL(`**${prefix}/favorites`);
      await other.page.locator("body > .spot-popup").waitFor();
    }
  });

  test("shows a picture of the next item, of the ad or a placeholder, in Arabic", async () => {
    const { prefix, texts } = arabic;
    await setAds({ title: "Pictured", type: "banner", image_url: `${site.url}/social.png` });
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await page.route("**/thumbnail*", (route) => route.abort());
    await page.route("**/media/**/*.webp", (route) => route.abort());
    await page.route("**/media/**/*.jpg", (route) => route.abort());
    await openFeed(page, site.url + prefix);
    const next = page.getByRole("complementary", { name: texts.feed.upNext }).locator(".feed-next");
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    const ad = next.filter({ hasText: "Pictured" });
    await ad.filter({ hasText: texts.feed.sponsored }).locator("img[src$='/social.png']").waitFor();
    await next
      .filter({ hasNotText: texts.feed.sponsored })
      .locator("[data-placeholder]")
      .first()
      .waitFor();
  });

  test("shows only videos when the ad request is blocked", async () => {
    await setAds({ type: "banner" });
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await page.route("**/api/spots/**", (route) => route.abort("blockedbyclient"));
    await openFeed(page, site.url);
    await moveDownTo(page, 4);
    await expect.poll(async () => (await shownItem(page)).kind).toBe("video");
  });
});

test("shows every button of a clip at 400% zoom", async () => {
  await using visit = await site.open({ viewport: { width: 320, height: 256 } });
  const { page } = visit;
  for (const prefix of ["", "/de", "/ar"]) {
    await openFeed(page, site.url + prefix);
    const hidden = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".feed-item[data-active] .feed-rail-button")]
          .filter((button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            const hits = [top + 2, top + height - 2].map((y) =>
              document.elementFromPoint(left + width / 2, y),
            );
            return hits.some((hit) => hit === null || !button.contains(hit));
          })
          .map((button) => button.textContent),
      );
    await expect.poll(hidden).toEqual([]);
    const count = await page.locator(".feed-item[data-active] .feed-rail-button").count();
    expect(count).toBe(5);
  }
});

test("shows No content available on an empty site, reports a failure, and loads on a click", async () => {
  const empty = await startTestApp({ pages: true });
  try {
    await using visit = await site.open({ ...desktop, expectProblems: provoked });
    const { page } = visit;
    await page.goto(empty.url);
    await page.getByRole("heading", { name: "No content available" }).waitFor();
    await expect.poll(() => page.locator(".feed-item:not([hidden])").count()).toBe(0);

    let isBroken = true;
    await page.route(/\/api\/feed(\?|$)/, (route) =>
      isBroken ? route.fulfill({ status: 503, json: { message: "no" } }) : route.continue(),
    );
    await page.goto(empty.url);
    await page.getByRole("heading", { name: "Failed to load content" }).waitFor();
    await addShortClips(empty, 4);
    await empty.context.changed("everything");
    isBroken = false;
    await page.getByRole("button", { name: "Try Again" }).click();
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => page.getByText("Failed to load content").count()).toBe(0);
  } finally {
    await empty.stop();
  }
});
