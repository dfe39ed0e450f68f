import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  activeItem,
  activeVideo,
  countSounding,
  openFeed,
  openPlayingFeed,
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
import { addShortClips, clipDurationS } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 10);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const others = ".feed-item:not([data-active]) video";
const isMuted = (video: HTMLVideoElement) => video.muted;

describe("playing in the feed", () => {
  test("the first clip plays out of the HTML, before and without any script", async () => {
    await using visit = await openPage(browser, { ...phone, javaScriptEnabled: false });
    await visit.page.goto(app.url);
    const first = visit.page.locator(activeVideo);
    await expect
      .poll(() => first.evaluate((video: HTMLVideoElement) => video.currentTime), {
        timeout: 10_000,
      })
      .toBeGreaterThan(0.3);
    // Where the page may run nothing, the browser's own count says that they were pictures.
    const frames = (video: HTMLVideoElement) => {
      const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
      return totalVideoFrames - droppedVideoFrames;
    };
    const shown = await first.evaluate(frames);
    await expect.poll(() => first.evaluate(frames)).toBeGreaterThan(shown + 3);
    expect(await first.evaluate(isMuted)).toBe(true);
  });

  test("the element of the HTML is the one that goes on playing", async () => {
    await using visit = await openPage(browser, phone);
    await visit.page.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => {
        document.querySelector("video")?.setAttribute("data-from-html", "");
      });
    });
    await openPlayingFeed(visit.page, app.url);
    expect(await visit.page.locator(activeVideo).getAttribute("data-from-html")).toBe("");
  });

  test("it starts muted; M and the button turn the sound on, also for the next clip", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const video = page.locator(activeVideo);
    expect(await video.evaluate(isMuted)).toBe(true);
    await page.keyboard.press("m");
    expect(await video.evaluate(isMuted)).toBe(false);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    expect(await video.evaluate(isMuted)).toBe(false);
    await page.getByRole("button", { name: "Mute" }).click();
    expect(await video.evaluate(isMuted)).toBe(true);
  });

  test("the sound is remembered, and comes back with the first gesture of the next visit", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.keyboard.press("m");
    // What a test evaluates counts as a gesture: not before the feed has looked for one.
    const live = page.waitForRequest("**/api/feed?*");
    await page.goto(app.url, { waitUntil: "commit" });
    await live;
    await waitForPlaying(page, activeVideo);
    const video = page.locator(activeVideo);
    expect(await video.evaluate(isMuted)).toBe(true);
    await page.keyboard.press("Shift");
    await expect.poll(() => video.evaluate(isMuted)).toBe(false);
    expect((await framesWithin(page, activeVideo, 500)).count).toBeGreaterThan(3);
  });

  test("never two sounds, and what is not on the screen stands still", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.keyboard.press("m");
    for (let number = 2; number <= 5; number += 1) {
      await page.keyboard.press("ArrowDown");
      for (let look = 0; look < 12; look += 1) {
        expect(await countSounding(page)).toBeLessThanOrEqual(1);
        await page.waitForTimeout(40);
      }
      await waitForPlaying(page, activeVideo);
      expect(await page.locator(others).count()).toBe(2);
      await waitForStanding(page, others);
      await waitForPlaying(page, activeVideo);
    }
  });

  test("a clip waits 300 ms on the screen before it starts", async () => {
    const secondVideo = '[aria-posinset="2"] video';
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    // It must stand ready, or what is waited for would be its file.
    await page.waitForFunction(
      (next) => (document.querySelector<HTMLVideoElement>(next)?.readyState ?? 0) >= 3,
      secondVideo,
    );
    await page.evaluate((next) => {
      const times: { activeMs?: number; moveMs?: number } = {};
      Reflect.set(window, "startTimes", times);
      const video = document.querySelector<HTMLVideoElement>(next);
      if (video === null) throw new Error("no second clip");
      const from = video.currentTime;
      const look = () => {
        if (video.closest(".feed-item[data-active]") !== null) times.activeMs ??= performance.now();
        if (video.currentTime === from) requestAnimationFrame(look);
        else times.moveMs = performance.now();
      };
      new MutationObserver(() => {
        if (video.closest(".feed-item[data-active]") !== null) times.activeMs ??= performance.now();
      }).observe(document.body, { attributes: true, subtree: true });
      look();
    }, secondVideo);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    const waited = await page.evaluate(() => {
      const { activeMs = 0, moveMs = 0 } = Reflect.get(window, "startTimes");
      return moveMs - activeMs;
    });
    // The delay is the specification's; how soon after it the picture moves is the benchmark's business.
    expect(waited).toBeGreaterThanOrEqual(290);
  });

  test("passing by starts nothing", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.evaluate(() => {
      const started: string[] = [];
      Reflect.set(window, "started", started);
      document.addEventListener(
        "play",
        (event) => {
          const item = event.target instanceof Element ? event.target.closest(".feed-item") : null;
          started.push(item?.getAttribute("aria-posinset") ?? "");
        },
        true,
      );
    });
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await waitForPlaying(page, activeVideo);
    expect(await page.evaluate(() => Reflect.get(window, "started"))).toEqual(["4"]);
  });

  test("an ended clip starts again from zero", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.locator(activeVideo).evaluate((video: HTMLVideoElement) => {
      const shownS: number[] = [];
      Reflect.set(window, "shownS", shownS);
      video.addEventListener("ended", () => {
        const note = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
          shownS.push(mediaTime);
          video.requestVideoFrameCallback(note);
        };
        video.requestVideoFrameCallback(note);
      });
      video.currentTime = video.duration - 0.5;
    });
    const shownS = () => page.evaluate((): number[] => Reflect.get(window, "shownS"));
    await expect.poll(async () => (await shownS()).length, { timeout: 10_000 }).toBeGreaterThan(10);
    // The last picture may still come; what comes then is the first ones, in their order.
    const anew = (await shownS()).filter((mediaS) => mediaS < clipDurationS - 0.6);
    expect(anew[0]).toBeLessThan(0.5);
    expect(anew).toEqual(anew.toSorted((a, b) => a - b));
    await waitForPlaying(page, activeVideo);
  });

  test("where nothing plays by itself, an ended clip stays at its end until it is asked", async () => {
    await using visit = await openPage(browser, { ...desktop, reducedMotion: "reduce" });
    const { page } = visit;
    await openFeed(page, app.url);
    await page.keyboard.press("Space");
    await waitForPlaying(page, activeVideo);
    const video = page.locator(activeVideo);
    await video.evaluate((media: HTMLVideoElement) => {
      media.currentTime = media.duration - 0.5;
    });
    await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.ended)).toBe(true);
    await waitForStanding(page, activeVideo);
    expect((await framesWithin(page, activeVideo, 400)).positionS).toBeGreaterThan(
      clipDurationS - 0.5,
    );
    await page.keyboard.press("Space");
    await waitForPlaying(page, activeVideo);
    expect((await framesWithin(page, activeVideo, 100)).positionS).toBeLessThan(
      clipDurationS - 0.5,
    );
  });

  test("a clip that comes round again begins anew: from zero, playing, at its own length", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const video = page.locator(activeVideo);
    await video.evaluate((media: HTMLVideoElement) => {
      media.currentTime = 4;
    });
    await page.keyboard.press("Space");
    await waitForStanding(page, activeVideo);
    // Three items on the same element shows another clip; three back it is the first one again.
    for (const [key, number] of [
      ["ArrowDown", 4],
      ["ArrowUp", 1],
    ] as const) {
      for (let press = 0; press < 3; press += 1) await page.keyboard.press(key);
      await waitForItem(page, number);
      await waitForPlaying(page, activeVideo);
      const { positionS } = await framesWithin(page, activeVideo, 100);
      expect(positionS).toBeLessThan(3.5);
      expect(await page.locator(`${activeItem} .feed-paused`).count()).toBe(0);
    }
  });

  test("space and a tap pause and play; the play overlay shows while paused", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const overlay = page.locator(`${activeItem} .feed-paused`);
    const touch = page.locator(`${activeItem} .feed-touch`);
    for (const press of [() => page.keyboard.press("Space"), () => touch.click()]) {
      expect(await overlay.count()).toBe(0);
      await press();
      await overlay.waitFor();
      await waitForStanding(page, activeVideo);
      await press();
      await waitForPlaying(page, activeVideo);
      await expect.poll(() => overlay.count()).toBe(0);
    }
  });

  test("the progress bar can be scrubbed, by pointer and by keyboard", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.keyboard.press("Space");
    const bar = page.locator(`${activeItem} [role=slider]`);
    const box = await bar.boundingBox();
    if (box === null) throw new Error("no bar");
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height - 3);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height - 3, { steps: 4 });
    await page.mouse.up();
    const position = () =>
      page.locator(activeVideo).evaluate((video: HTMLVideoElement) => video.currentTime);
    expect(await position()).toBeCloseTo(4.5, 1);
    await bar.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await position()).toBeCloseTo(0, 1);
    await waitForItem(page, 1);
  });

  test("under reduced motion nothing starts by itself, with scripts or without", async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using visit = await openPage(browser, {
        ...desktop,
        reducedMotion: "reduce",
        javaScriptEnabled,
      });
      const { page } = visit;
      await page.goto(app.url);
      await page.waitForTimeout(2500);
      const place = (video: HTMLVideoElement) => [video.paused, video.currentTime < 0.1];
      expect(await page.locator(activeVideo).evaluate(place)).toEqual([true, true]);
      if (!javaScriptEnabled) continue;
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, 2);
      await page.waitForTimeout(800);
      await waitForStanding(page, activeVideo);
      expect(await page.locator(activeVideo).evaluate(place)).toEqual([true, true]);
      await page.keyboard.press("Space");
      await waitForPlaying(page, activeVideo);
    }
  });

  test("whoever saves data gets the small rendition and one neighbour at most", async () => {
    await using visit = await openPage(browser, phone);
    const { page } = visit;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", {
        value: { saveData: true, effectiveType: "4g" },
      });
    });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(".mp4")) asked.push(request.url());
    });
    await openPlayingFeed(page, app.url);
    for (const number of [2, 3]) {
      await swipe(page, 300);
      await waitForItem(page, number);
      await waitForPlaying(page, activeVideo);
    }
    await page.waitForTimeout(3500);
    const files = [...new Set(asked)].map((url) => url.split("/").at(-1));
    // What the HTML began is not fetched twice; then three clips seen and one neighbour ahead.
    expect(files).toEqual(["play.mp4", "small.mp4", "small.mp4", "small.mp4"]);
  });

  test("at most two elements fill at once", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    for (let number = 2; number <= 6; number += 1) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      for (let look = 0; look < 10; look += 1) {
        const loading = await page
          .locator("video")
          .evaluateAll(
            (videos) =>
              videos.filter((video) => (video as HTMLVideoElement).networkState === 2).length,
          );
        expect(loading).toBeLessThanOrEqual(2);
        await page.waitForTimeout(50);
      }
    }
  });

  test("the neighbour's first picture is there before it moves in", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    for (let number = 2; number <= 5; number += 1) {
      await page.waitForFunction((wanted) => {
        const next = document.querySelector<HTMLVideoElement>(`[aria-posinset="${wanted}"] video`);
        return next !== null && next.readyState >= 2;
      }, number);
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
  });

  test("watching is reported: 0 at the start, the duration at the end, the truth on leaving", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const reports: { url: string; watchTime: number; completed: boolean }[] = [];
    // What leaves with a beacon is not shown to tests: the page is made to say it.
    await page.exposeFunction("tellReport", (url: string, text: string) => {
      reports.push({ url, ...JSON.parse(text) });
    });
    await page.addInitScript(() => {
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (url, body) => {
        if (body instanceof Blob)
          void body.text().then((text) => Reflect.get(window, "tellReport")(String(url), text));
        return send(url, body);
      };
    });
    page.on("request", (request) => {
      const text = request.url().endsWith("/watch") ? request.postData() : null;
      if (text !== null)
        reports.push({ url: new URL(request.url()).pathname, ...JSON.parse(text) });
    });
    await openPlayingFeed(page, app.url);
    await page.waitForTimeout(1500);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.locator(activeVideo).evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 0.4;
    });
    await expect.poll(() => reports.some(({ completed }) => completed)).toBe(true);
    for (const number of [3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    const first = reports[0]?.url ?? "";
    const ofFirst = () => reports.filter(({ url }) => url === first);
    await expect.poll(() => ofFirst().length).toBe(2);
    expect(ofFirst()[0]).toMatchObject({ watchTime: 0, completed: false });
    expect(ofFirst()[1]?.completed).toBe(false);
    expect(ofFirst()[1]?.watchTime).toBeGreaterThan(1);
    expect(ofFirst()[1]?.watchTime).toBeLessThan(20);
    expect(reports.find(({ completed }) => completed)?.watchTime).toBeCloseTo(6, 0);
    // And the server has counted it for this visitor.
    const id = first.split("/")[3] ?? "";
    await expect
      .poll(async () => {
        const row = await app.database.db
          .selectFrom("watches")
          .select("watch_time_s")
          .where("video_id", "=", id)
          .orderBy("updated_at", "desc")
          .executeTakeFirst();
        return row?.watch_time_s ?? 0;
      })
      .toBeGreaterThan(1);
  });
});
