import { expect, test } from "vitest";
import {
  activeItem,
  activeVideo,
  openFeed,
  openPlayingFeed,
  waitForItem,
} from "../support/feed-screen.ts";
import { arabic } from "../support/languages.ts";
import { layoutShiftSoFar } from "../support/layout-shifts.ts";
import { addShortClips, clipDurationS } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";

const site = shareSite((app) => addShortClips(app, 10));
const isMuted = (video: HTMLVideoElement) => video.muted;

test("plays the first clip from the HTML, before and without scripts, in Arabic", async () => {
  const { prefix, texts } = arabic;
  const { page } = await site.open({ ...phone, javaScriptEnabled: false });
  await page.goto(site.url + prefix);
  const first = page.locator(activeVideo);
  await expect
    .poll(() => first.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.3);
  // Without scripts, only the browser's own counter shows that frames were presented.
  const frames = (video: HTMLVideoElement) => {
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
    return totalVideoFrames - droppedVideoFrames;
  };
  const shown = await first.evaluate(frames);
  await expect.poll(() => first.evaluate(frames)).toBeGreaterThan(shown + 3);
  await expect.poll(() => first.evaluate(isMuted)).toBe(true);
  await expect.poll(() => page.locator("button:visible").count()).toBe(0);
  expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
  // Each clip has a link to the next one.
  const seen = new Set<string>();
  for (let step = 0; step < 3; step += 1) {
    seen.add((await page.locator(activeItem).getAttribute("data-slug")) ?? "");
    await page.getByRole("link", { name: texts.feed.next }).click();
    await page.waitForURL(`**${prefix}/feed/clip-*`);
  }
  expect(seen.size).toBeGreaterThan(1);
});

test("continues the element of the HTML muted, and unmutes it and the next clip with M and the button", async () => {
  const { page } = await site.open(desktop);
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.querySelector("video")?.setAttribute("data-from-html", "");
    });
  });
  await openPlayingFeed(page, site.url);
  const video = page.locator(activeVideo);
  await expect.poll(() => video.getAttribute("data-from-html")).toBe("");
  await expect.poll(() => video.evaluate(isMuted)).toBe(true);
  await page.keyboard.press("m");
  await expect.poll(() => video.evaluate(isMuted)).toBe(false);
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, 2);
  await waitForPlaying(page, activeVideo);
  await expect.poll(() => video.evaluate(isMuted)).toBe(false);
  await page.getByRole("button", { name: "Mute" }).click();
  await expect.poll(() => video.evaluate(isMuted)).toBe(true);
});

test("remembers the sound and restores it on the first gesture of the next visit", async () => {
  const { page } = await site.open(desktop);
  await openPlayingFeed(page, site.url);
  await page.keyboard.press("m");
  // `evaluate` counts as a user gesture, so it must not run before the feed listens.
  const live = page.waitForRequest("**/api/feed?*");
  await page.goto(site.url, { waitUntil: "commit" });
  await live;
  await waitForPlaying(page, activeVideo);
  const video = page.locator(activeVideo);
  await expect.poll(() => video.evaluate(isMuted)).toBe(true);
  await page.keyboard.press("Shift");
  await expect.poll(() => video.evaluate(isMuted)).toBe(false);
  await waitForPlaying(page, activeVideo);
});

test("pauses and plays on space and click, and scrubs the progress bar", async () => {
  const { page } = await site.open(desktop);
  await openPlayingFeed(page, site.url);
  const overlay = page.locator(`${activeItem} .feed-paused`);
  const touch = page.locator(`${activeItem} .feed-touch`);
  for (const press of [() => page.keyboard.press("Space"), () => touch.click()]) {
    await expect.poll(() => overlay.count()).toBe(0);
    await press();
    await overlay.waitFor();
    await waitForStopped(page, activeVideo);
    await press();
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => overlay.count()).toBe(0);
  }
  await page.keyboard.press("Space");
  await waitForStopped(page, activeVideo);
  const bar = page.locator(`${activeItem} [role=slider]`);
  const box = await bar.boundingBox();
  if (box === null) throw new Error("no bar");
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height - 3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height - 3, { steps: 4 });
  await page.mouse.up();
  const position = () =>
    page.locator(activeVideo).evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(position).toBeCloseTo(4.5, 1);
  await bar.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(position).toBeCloseTo(0, 1);
  await waitForItem(page, 1);
});

test("starts nothing by itself under reduced motion, and waits at the end of a clip", async () => {
  const { page } = await site.open({ ...desktop, reducedMotion: "reduce" });
  const isWaiting = (video: HTMLVideoElement) => video.paused && video.currentTime < 0.1;
  const isReady = (query: string) =>
    (document.querySelector<HTMLVideoElement>(query)?.readyState ?? 0) >= 2;
  await openFeed(page, site.url);
  await page.waitForFunction(isReady, activeVideo);
  await expect.poll(() => page.locator(activeVideo).evaluate(isWaiting)).toBe(true);
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, 2);
  await page.waitForFunction(isReady, activeVideo);
  await waitForStopped(page, activeVideo);
  await expect.poll(() => page.locator(activeVideo).evaluate(isWaiting)).toBe(true);
  await page.keyboard.press("Space");
  await waitForPlaying(page, activeVideo);
  await page.locator(activeVideo).evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 0.5;
  });
  await waitForStopped(page, activeVideo);
  await expect
    .poll(() => page.locator(activeVideo).evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(clipDurationS - 0.5);
});

test("starts nothing by itself under reduced motion without scripts", async () => {
  const { page } = await site.open({
    ...desktop,
    reducedMotion: "reduce",
    javaScriptEnabled: false,
  });
  await page.goto(site.url);
  const state = (video: HTMLVideoElement) => [video.paused, video.currentTime, video.currentSrc];
  // Without a matching source, the element has nothing to start.
  await expect.poll(() => page.locator(activeVideo).evaluate(state)).toEqual([true, 0, ""]);
});

test("shows the next clip's first frame before it moves in, and loads two elements at most", async () => {
  const { page } = await site.open(desktop);
  await openPlayingFeed(page, site.url);
  await page.evaluate(() => {
    Reflect.set(window, "maxLoading", 0);
    const look = () => {
      const loading = [...document.querySelectorAll("video")].filter(
        (video) => video.networkState === HTMLMediaElement.NETWORK_LOADING,
      ).length;
      Reflect.set(
        window,
        "maxLoading",
        Math.max(loading, Number(Reflect.get(window, "maxLoading"))),
      );
      requestAnimationFrame(look);
    };
    look();
  });
  for (let number = 2; number <= 5; number += 1) {
    await page.waitForFunction((wanted) => {
      const next = document.querySelector<HTMLVideoElement>(`[aria-posinset="${wanted}"] video`);
      return next !== null && next.readyState >= 2;
    }, number);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, number);
  }
  expect(await page.evaluate(() => Number(Reflect.get(window, "maxLoading")))).toBeLessThanOrEqual(
    2,
  );
});

test("reports watching: 0 at the start, the duration at the end, the watched seconds on leaving", async () => {
  const { page } = await site.open(desktop);
  const reports: { url: string; watchTime: number; completed: boolean }[] = [];
  // Tests can't see beacons, so the page passes them on.
  await page.exposeFunction("passReport", (url: string, text: string) => {
    reports.push({ url, ...JSON.parse(text) });
  });
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      if (body instanceof Blob)
        void body.text().then((text) => Reflect.get(window, "passReport")(String(url), text));
      return send(url, body);
    };
  });
  page.on("request", (request) => {
    const text = request.url().endsWith("/watch") ? request.postData() : null;
    if (text !== null) reports.push({ url: new URL(request.url()).pathname, ...JSON.parse(text) });
  });
  await openPlayingFeed(page, site.url);
  await page.locator(activeVideo).evaluate(
    (video: HTMLVideoElement) =>
      new Promise<void>((resolve) => {
        let playedS = 0;
        let lastS = video.currentTime;
        video.addEventListener("timeupdate", () => {
          playedS += Math.max(0, video.currentTime - lastS);
          lastS = video.currentTime;
          if (playedS > 1.5) resolve();
        });
      }),
  );
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
  expect(reports.find(({ completed }) => completed)?.watchTime).toBeCloseTo(clipDurationS, 0);
  // The server has counted the play for this visitor.
  const id = first.split("/")[3] ?? "";
  await expect
    .poll(async () => {
      const row = await site.app.db
        .selectFrom("watches")
        .select("watch_time_s")
        .where("video_id", "=", id)
        .orderBy("updated_at", "desc")
        .executeTakeFirst();
      return row?.watch_time_s ?? 0;
    })
    .toBeGreaterThan(1);
});
