import type { BrowserContext, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  adBreak,
  adVideo,
  content,
  contentState,
  isMuted,
  openWithAds,
  skipAd,
} from "../support/ad-break-screen.ts";
import { beaconsOf, expectWholeAd, inlineVast, wrapperVast } from "../support/ads-server.ts";
import { addClip, longDurationS, longestDurationS } from "../support/player-clips.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { useAdsSite } from "../support/ads-site.ts";

let context: BrowserContext;
let page: Page;
let slug: string;
let longestSlug: string;

const site = useAdsSite(
  // A test shows several ads within the minimum time between ad breaks.
  { title: "A video", type: "video", placement: "preroll", ignoresBreakRules: true },
  async (filled) => {
    slug = (await addClip(filled, "long")).slug;
    longestSlug = (await addClip(filled, "longest", { title: "The longest" })).slug;
  },
);
const { app, server, createAd, totalsOf } = site;
beforeEach(() => {
  ({ context, page } = site);
});

const skip = () => page.locator(".spot-break-skip");
const open = (which = slug) => openWithAds(page, `${app.url}/video/${which}`);
const positionS = async () => (await contentState(page)).positionS;

/** Creates a VAST ad of 12 s that can be skipped after 1 s. */
async function createSkippable(name: string) {
  server.documents.set(name, inlineVast(server, name, 12, "00:00:01"));
  return await createAd({ vastTagUrl: `${server.url}/tag/${name}` });
}

describe("ad breaks of a real video", () => {
  test("ends the current ad break when another video starts, and shows its own pre-roll", async () => {
    await createSkippable("again");
    await open();
    await waitForPlaying(page, adVideo);
    await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
    for (const [which, durationS] of [
      [longestSlug, longestDurationS],
      [slug, longDurationS],
    ] as const) {
      await page.locator(`main a[href="/video/${which}"]`).first().click();
      await page.waitForURL(`**/video/${which}`);
      await page.locator(adBreak).waitFor();
      await waitForPlaying(page, adVideo);
      await expect.poll(() => page.locator("video").count()).toBe(2);
      await expect.poll(() => contentState(page)).toEqual({ isPaused: true, positionS: 0 });
      await waitForStopped(page, content);
      await skipAd(page);
      await waitForPlaying(page, content);
      await expect.poll(positionS).toBeLessThan(10);
      const lengthS = (video: HTMLVideoElement) => video.duration;
      await expect
        .poll(() => page.locator(content).first().evaluate(lengthS))
        .toBeCloseTo(durationS, 0);
    }
    await expect.poll(() => page.locator("body[data-same-page]").count()).toBe(1);
  });

  test("opens a link in a new tab, and retains the ad break's volume, on a phone in German", async () => {
    const ad = await createSkippable("narrow");
    await page.setViewportSize({ width: 360, height: 740 });
    await openWithAds(page, `${app.url}/de/video/${slug}`);
    const link = page.locator(".spot-break-visit");
    await waitForPlaying(page, adVideo);
    await Promise.all([link.waitFor(), skip().waitFor()]);
    const [visit, button] = await Promise.all([link.boundingBox(), skip().boundingBox()]);
    if (visit === null || button === null) throw new Error("a button is missing");
    expect(visit.x).toBeGreaterThanOrEqual(0);
    expect(visit.x + visit.width).toBeLessThanOrEqual(button.x);

    // The browser decides whether the page starts with sound. The click toggles it.
    const wasMuted = await isMuted(page, adVideo);
    await page.locator(".spot-break-sound").click();
    await expect.poll(() => isMuted(page, adVideo)).toBe(!wasMuted);
    const [landing] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await landing.waitForLoadState();
    await expect
      .poll(() => landing.evaluate(() => [window.opener, document.referrer]))
      .toEqual([null, ""]);
    await landing.close();
    await expect.poll(async () => (await totalsOf(ad)).clicks).toBe(1);
    await skip().click();
    await waitForPlaying(page, content);
    await expect.poll(() => isMuted(page, content)).toBe(!wasMuted);
  });
});

describe("VAST", () => {
  test("sends every beacon of both levels of a wrapped video once, in order", async () => {
    // A URL on both levels is requested twice.
    const withShared = (document: string) =>
      document.replace(
        "<Creatives>",
        `<Impression>${server.url}/beacon/shared/impression</Impression><Creatives>`,
      );
    server.documents.set("inner", withShared(inlineVast(server, "whole", 2)));
    const wrapper = wrapperVast(server, "outer", `${server.url}/tag/inner`);
    server.documents.set("outer", withShared(wrapper));
    const ad = await createAd({ vastTagUrl: `${server.url}/tag/outer` });
    await open();
    await page.locator(adBreak).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    await expectWholeAd(server, "whole");
    await expect.poll(() => beaconsOf(server, "outer")).toEqual(["impression", "complete"]);
    await expect.poll(() => beaconsOf(server, "shared")).toEqual(["impression", "impression"]);
    expect(server.requests.find((url) => url.startsWith("/beacon/whole/impression"))).toMatch(
      /cb=\d{8}$/,
    );
    await expect
      .poll(() => totalsOf(ad))
      .toMatchObject({
        impressions: 1,
        starts: 1,
        firstQuartiles: 1,
        midpoints: 1,
        thirdQuartiles: 1,
        completes: 1,
      });
  });

  test("fetches a tag through our server if the browser may not", async () => {
    server.documents.set("kept", inlineVast(server, "proxied", 4));
    const tag = `${server.url}/closed/kept`;
    const ad = await createAd({ vastTagUrl: tag });
    // The real server refuses loopback addresses, so this route responds instead.
    await page.route(`**/api/spots/${ad.id}/documents?*`, (route) =>
      route.fulfill({
        json: {
          documents: [
            {
              url: tag,
              redirects: 0,
              text: server.documents.get("kept"),
              problem: null,
              status: 200,
            },
          ],
        },
      }),
    );
    await open();
    await page.locator(adVideo).waitFor();
    await expect.poll(() => beaconsOf(server, "proxied")).toContain("impression");
  });
});

describe("a broken ad server", () => {
  const causesOf = async ({ id }: { id: string }) =>
    (await site.admin.call("GET", `/api/ads/${id}/stats`)).json.errorCauses;

  test("tells the ad network about a video that never loads, even after a late tag", async () => {
    const document = inlineVast(server, "hanging", 4).replace("/video/4.mp4", "/silent/4.mp4");
    server.documents.set("hanging", document);
    const ad = await createAd({ vastTagUrl: `${server.url}/late/hanging` });
    await open();
    await waitForPlaying(page, content);
    await expect.poll(() => page.locator(adBreak).count()).toBe(0);
    await expect.poll(() => beaconsOf(server, "hanging")).toEqual(["error-402"]);
    await expect.poll(() => causesOf(ad)).toEqual([{ cause: "media_timeout", count: 1 }]);
  });
});
