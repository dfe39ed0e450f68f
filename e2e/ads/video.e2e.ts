import type { BrowserContext, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import type { TestApp } from "#test/app.ts";
import {
  adBreak,
  adVideo,
  content,
  contentState,
  isHeldNear,
  isMuted,
  openWithAds,
  seek,
  skipAd,
} from "../support/ad-break-screen.ts";
import { beaconsOf, inlineVast, wrapperVast, type AdServer } from "../support/ads-server.ts";
import { addClip, longDurationS, longestDurationS } from "../support/player-clips.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { useAdsSite } from "../support/ads-site.ts";

const midrollS = 40;

let app: TestApp;
let server: AdServer;
let context: BrowserContext;
let page: Page;
let slug: string;
let longestSlug: string;

const site = useAdsSite(
  // A test shows several ads within the minimum time between ad breaks.
  { title: "A video", type: "video", placement: "preroll", ignoresBreakRules: true },
  async (filled) => {
    slug = (await addClip(filled, "long", { midroll_times: [midrollS] })).slug;
    longestSlug = (await addClip(filled, "longest", { title: "The longest" })).slug;
  },
);
const { createAd, totalsOf } = site;
beforeEach(() => {
  ({ app, server, context, page } = site);
});

const skip = () => page.locator(".spot-break-skip");
const open = (which = slug) => openWithAds(page, `${app.url}/video/${which}`);
const positionS = async () => (await contentState(page)).positionS;

/** Expects that an ad break has paused the content within a second of its time. */
async function expectHeldNear(atS: number): Promise<void> {
  await waitForStopped(page, content);
  await expect.poll(() => contentState(page)).toSatisfy(isHeldNear(atS));
}
/** Creates a VAST ad of 12 s that can be skipped after 1 s. */
async function createSkippable(name: string) {
  server.documents.set(name, inlineVast(server, name, 12, "00:00:01"));
  return await createAd({ vastTagUrl: `${server.url}/tag/${name}` });
}

describe("ad breaks of a real video", () => {
  test("skips a second ad break within three minutes", async () => {
    await createAd({ vastTagUrl: `${server.url}/video/2.mp4` });
    await createAd({
      placement: "midroll",
      vastTagUrl: `${server.url}/video/2.mp4`,
      ignoresBreakRules: false,
    });
    await open();
    await waitForPlaying(page, adVideo);
    await waitForPlaying(page, content);
    const searched = page.waitForResponse((response) => response.url().includes("=midroll"));
    await seek(page, midrollS - 3);
    expect((await (await searched).json()).ads).toEqual([]);
    await expect.poll(positionS).toBeGreaterThan(midrollS + 1.5);
  });

  test("shows the pre-roll only with the first play", async () => {
    const ad = await createAd({ vastTagUrl: `${server.url}/video/2.mp4` });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open();
    const bigPlay = page.locator(".player-big-play");
    await bigPlay.waitFor();
    await waitForStopped(page, content);
    await expect.poll(() => page.locator(adBreak).count()).toBe(0);
    await bigPlay.click();
    await waitForPlaying(page, adVideo);
    await waitForStopped(page, content);
    await page.locator(adBreak).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    await page.keyboard.press("k");
    await waitForStopped(page, content);
    await page.keyboard.press("k");
    await waitForPlaying(page, content);
    await expect.poll(() => page.locator(adBreak).count()).toBe(0);
    await expect
      .poll(() => totalsOf(ad))
      .toMatchObject({ impressions: 1, starts: 1, completes: 1, skips: 0 });
  });

  test("keeps the link and the skip button apart on a phone in German", async () => {
    await createSkippable("narrow");
    await page.setViewportSize({ width: 360, height: 740 });
    await openWithAds(page, `${app.url}/de/video/${slug}`);
    const link = page.locator(".spot-break-visit");
    await Promise.all([link.waitFor(), skip().waitFor()]);
    const [visit, button] = await Promise.all([link.boundingBox(), skip().boundingBox()]);
    if (visit === null || button === null) throw new Error("a button is missing");
    expect(visit.x).toBeGreaterThanOrEqual(0);
    expect(visit.x + visit.width).toBeLessThanOrEqual(button.x);
  });

  test("plays a mid-roll once to its end, and none after a jump past its time", async () => {
    const ad = await createAd({ placement: "midroll", vastTagUrl: `${server.url}/video/2.mp4` });
    await open();
    await waitForPlaying(page, content);
    await seek(page, midrollS + 10);
    await waitForPlaying(page, content);
    await expect.poll(() => page.locator(adBreak).count()).toBe(0);
    await seek(page, midrollS - 3);
    await waitForPlaying(page, adVideo);
    await expectHeldNear(midrollS);
    const heldS = await positionS();
    await page.locator(adBreak).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    await expect.poll(positionS).toSatisfy((atS: number) => atS >= heldS && atS < heldS + 6);
    await seek(page, midrollS - 1);
    await expect.poll(positionS).toBeGreaterThan(midrollS + 1.5);
    await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 1, completes: 1, skips: 0 });
  });

  test("places unconfigured mid-rolls at fractions of the duration", async () => {
    await createAd({ placement: "midroll", vastTagUrl: `${server.url}/video/2.mp4` });
    await page.route("**/midroll", (route) => route.abort());
    await open(longestSlug);
    for (const share of [0.25, 0.75]) {
      await waitForPlaying(page, content);
      await seek(page, longestDurationS * share - 2);
      await page.locator(adVideo).waitFor();
      await expect.poll(() => contentState(page)).toSatisfy(isHeldNear(longestDurationS * share));
      await page.locator(adBreak).waitFor({ state: "detached" });
    }
    await waitForPlaying(page, content);
  });

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

  test("shows an ad that can't be counted, then the content", async () => {
    const ad = await createAd({ vastTagUrl: `${server.url}/video/3.mp4`, linkUrl: server.url });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    const logged: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "warning") logged.push(message.text());
    });
    await page.route(`**/api/spots/${ad.id}/**`, (route) => route.abort());
    await open();
    await waitForPlaying(page, adVideo);
    const [landing] = await Promise.all([
      context.waitForEvent("page"),
      page.locator(".spot-break-visit").click(),
    ]);
    await landing.close();
    await page.locator(adBreak).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    await expect.poll(() => logged.join("\n")).toContain("an ad's event was not counted");
    expect(problems).toEqual([]);
    await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 0, clicks: 0 });
  });

  test("opens a link in a new tab and counts it, and retains the ad break's volume for the content", async () => {
    const ad = await createAd({
      vastTagUrl: `${server.url}/video/12.mp4`,
      linkUrl: `${server.url}/landing`,
    });
    await open();
    await page.locator(adVideo).waitFor();
    await waitForPlaying(page, adVideo);
    // The browser decides whether the page starts with sound. The click toggles it.
    const wasMuted = await isMuted(page, adVideo);
    await page.locator(".spot-break-sound").click();
    await expect.poll(() => isMuted(page, adVideo)).toBe(!wasMuted);
    const [landing] = await Promise.all([
      context.waitForEvent("page"),
      page.locator(".spot-break-visit").click(),
    ]);
    await landing.waitForLoadState();
    await expect
      .poll(() => landing.evaluate(() => [window.opener, document.referrer]))
      .toEqual([null, ""]);
    await landing.close();
    await expect.poll(async () => (await totalsOf(ad)).clicks).toBe(1);
    await skipAd(page);
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
    await expect.poll(() => beaconsOf(server, "whole")).toHaveLength(6);
    await page.locator(adBreak).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    expect(beaconsOf(server, "whole")).toEqual([
      "impression",
      "start",
      "firstQuartile",
      "midpoint",
      "thirdQuartile",
      "complete",
    ]);
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

  test("sends no progress beyond the end of a file shorter than declared", async () => {
    const progress = (offset: string, name: string) =>
      `<TrackingEvents><Tracking event="progress" offset="${offset}">${server.url}/beacon/short/${name}</Tracking>`;
    const document = inlineVast(server, "short", 2)
      .replace("<Duration>00:00:02", "<Duration>00:00:30")
      .replace("<TrackingEvents>", progress("00:00:01", "after-1"))
      .replace(
        "<Tracking event=",
        progress("00:00:06", "after-6").replace("<TrackingEvents>", "") + "<Tracking event=",
      );
    server.documents.set("short", document);
    await createAd({ vastTagUrl: `${server.url}/tag/short` });
    await open();
    await expect.poll(() => beaconsOf(server, "short")).toContain("complete");
    expect(beaconsOf(server, "short")).toContain("after-1");
    expect(beaconsOf(server, "short")).not.toContain("after-6");
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

  test("reports a failed tag with its error code, then shows the next ad", async () => {
    server.documents.set("nothing", wrapperVast(server, "broken", `${server.url}/tag/absent`));
    const broken = await createAd({ vastTagUrl: `${server.url}/tag/nothing`, weight: 1000 });
    await createAd({ vastTagUrl: `${server.url}/video/12.mp4`, title: "Second" });
    // With this random number, the weight of the broken ad always puts it first.
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await open();
    await page.locator(adVideo).waitFor();
    await expect.poll(() => beaconsOf(server, "broken")).toEqual(["error-301"]);
    await expect.poll(() => totalsOf(broken)).toMatchObject({ impressions: 0, errors: 1 });
  });
});

describe("a broken ad server", () => {
  /** Opens the video and waits until its content plays. */
  async function seeContent(): Promise<void> {
    await open();
    await page.waitForFunction(
      (query) => (document.querySelector<HTMLVideoElement>(query)?.currentTime ?? 0) > 0,
      content,
      { polling: 50 },
    );
    await waitForPlaying(page, content);
  }
  const causesOf = async ({ id }: { id: string }) =>
    (await site.admin.call("GET", `/api/ads/${id}/stats`)).json.errorCauses;

  test("skips a video that never loads, then plays the content", async () => {
    const ad = await createAd({ vastTagUrl: `${server.url}/silent/video.mp4` });
    await seeContent();
    await expect.poll(() => page.locator(adBreak).count()).toBe(0);
    await expect.poll(() => causesOf(ad)).toEqual([{ cause: "media_timeout", count: 1 }]);
  });

  test("tells the ad network about a video that never loads, even after a late tag", async () => {
    const document = inlineVast(server, "hanging", 4).replace("/video/4.mp4", "/silent/4.mp4");
    server.documents.set("hanging", document);
    const ad = await createAd({ vastTagUrl: `${server.url}/late/hanging` });
    await seeContent();
    await expect.poll(() => beaconsOf(server, "hanging")).toEqual(["error-402"]);
    await expect.poll(() => causesOf(ad)).toEqual([{ cause: "media_timeout", count: 1 }]);
  });

  test("reports a wrapped tag without a response to the network and in the statistics", async () => {
    server.documents.set("slow", wrapperVast(server, "slow", `${server.url}/silent/tag`));
    const ad = await createAd({ vastTagUrl: `${server.url}/tag/slow` });
    await seeContent();
    await expect.poll(() => beaconsOf(server, "slow")).toEqual(["error-301"]);
    await expect.poll(() => causesOf(ad)).toEqual([{ cause: "timeout", count: 1 }]);
  });

  test("starts the content without delay after a refused connection", async () => {
    const ad = await createAd({ vastTagUrl: "http://127.0.0.1:9/tag.xml" });
    await seeContent();
    // The ad failed for this reason and not because of a timeout.
    await expect.poll(() => causesOf(ad)).toEqual([{ cause: "unreachable", count: 1 }]);
  });

  test("shows a message for a video that no browser plays, then the content", async () => {
    // The URL looks like a video but returns an image.
    const ad = await createAd({ vastTagUrl: `${server.url}/picture/a.mp4` });
    await open();
    await page.getByText("Your browser does not support video ads").waitFor();
    await waitForPlaying(page, content);
    await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 0, errors: 1 });
  });

  test("plays the content when the ad request is blocked", async () => {
    await createAd({ vastTagUrl: `${server.url}/video/12.mp4` });
    await page.route("**/api/spots/**", (route) => route.abort());
    await seeContent();
  });
});
