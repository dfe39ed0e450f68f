import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  desktop,
  framesWithin,
  openPage,
  phone,
  waitForPlaying,
  waitForStanding,
} from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addClip, addShortClips, clipDurationS } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;
let longFile = "";
let shortFile = "";

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  const short = await addShortClips(app, 3);
  shortFile = `/media/${short[2]?.progressive_key}`;
  const long = await addClip(app, "long", { title: "A long one", slug: "long" });
  longFile = `/media/${long.progressive_key}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const picture = ".player video";
/** While the ladder takes over there are two for a moment; the first is the one that is heard. */
const video = (page: Page) => page.locator(picture).first();
const position = (page: Page) =>
  video(page).evaluate((media: HTMLVideoElement) => media.currentTime);

async function openVideo(page: Page, slug: string): Promise<void> {
  await page.goto(`${app.url}/video/${slug}`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
}

/** Playing, however the page begins. */
async function playVideo(page: Page, slug: string): Promise<void> {
  await openVideo(page, slug);
  if (await video(page).evaluate((media: HTMLVideoElement) => media.paused)) {
    await page.locator(".player-big-play").click();
  }
  await waitForPlaying(page, picture);
}

/** A long video plays on, out of its adaptive renditions. */
async function waitForLadder(page: Page): Promise<void> {
  await expect
    .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.currentSrc), {
      timeout: 20_000,
    })
    .toMatch(/^blob:/);
  await waitForPlaying(page, picture);
}

describe("the player on the video page", () => {
  test("a play overlay shows when paused, none while playing; a click on the picture is both", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "clip-1");
    expect(await page.locator(".player-big-play").count()).toBe(0);
    await page.locator(".player-touch").click({ position: { x: 200, y: 100 } });
    await page.locator(".player-big-play").waitFor();
    await waitForStanding(page, picture);
    await page.locator(".player-big-play").click();
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("a loading overlay with the thumbnail shows until it can play", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${longFile}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${app.url}/video/long`, { waitUntil: "commit" });
    const overlay = page.locator(".player-loading");
    await overlay.waitFor();
    const thumbnail = overlay.locator("img");
    expect(await thumbnail.getAttribute("src")).toMatch(/poster\.jpg$/);
    await expect
      .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(640);
    await waitForStanding(page, picture);
    expect(await position(page)).toBe(0);
    release();
    await expect.poll(() => overlay.count(), { timeout: 15_000 }).toBe(0);
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("another video begins anew: its own time, length and qualities, playing, no word of the former", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    await waitForLadder(page);
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeGreaterThan(37);
    await page.keyboard.press("k");
    await page.locator(".player-big-play").waitFor();
    await waitForStanding(page, picture);
    await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
    await page.locator("main a[href='/video/clip-1']").first().click();
    await page.waitForURL("**/video/clip-1");
    await page.getByRole("heading", { level: 1, name: "Clip 1" }).waitFor();
    await waitForPlaying(page, picture);
    expect(await position(page)).toBeLessThan(clipDurationS);
    expect(await page.locator(".player-big-play, .player-fault, .player-note").count()).toBe(0);
    const bar = page.getByRole("slider", { name: "Seek" });
    expect(await bar.getAttribute("aria-valuetext")).toContain("of 6 seconds");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("group", { name: "Speed" }).waitFor();
    expect(await page.getByRole("group", { name: "Quality" }).count()).toBe(0);
    expect(await page.locator("video").count()).toBe(1);
    expect(await page.locator("body[data-same-page]").count()).toBe(1);
    expect(visit.problems).toEqual([]);
  });

  test("a play that fails is only logged, one that is broken off is not even that", async () => {
    await using visit = await openPage(browser, { ...desktop, reducedMotion: "reduce" });
    const { page } = visit;
    const logged: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("playback failed")) logged.push(message.type());
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isBroken = true;
    await page.route(`**${shortFile}`, async (route) => {
      await held;
      if (isBroken) {
        await route.fulfill({ contentType: "video/mp4", body: Buffer.alloc(60_000, 0x5a) });
      } else await route.continue();
    });
    // Open as early as the film allows: nothing of it has come.
    await page.goto(`${app.url}/video/clip-2`, { waitUntil: "commit" });
    await page.locator(".player-controls").waitFor({ state: "attached" });
    const isPaused = () => video(page).evaluate((media: HTMLVideoElement) => media.paused);
    await page.keyboard.press("k");
    await expect.poll(isPaused).toBe(false);
    await page.keyboard.press("k");
    await expect.poll(isPaused).toBe(true);
    expect(logged).toEqual([]);
    await page.keyboard.press("k");
    release();
    await page.locator(".player-fault").waitFor();
    await expect.poll(() => [...new Set(logged)]).toEqual(["warning"]);
    isBroken = false;
    await page.locator(".player-fault").getByRole("button", { name: "Try again" }).click();
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("watching is reported: 0 on load, the duration at the end", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    const reports: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/watch")) {
        reports.push(request.postDataJSON());
      }
    });
    await playVideo(page, "clip-1");
    await expect.poll(() => reports).toEqual([{ watchTime: 0, completed: false }]);
    await video(page).evaluate((media: HTMLVideoElement) => {
      media.currentTime = media.duration - 0.5;
    });
    await page.locator(".player-big-play[aria-label='Watch again']").waitFor();
    await waitForStanding(page, picture);
    await expect.poll(() => reports.length).toBe(2);
    expect(reports[1]).toEqual({ watchTime: expect.closeTo(clipDurationS, 0), completed: true });
  });

  test("keys: space, K, J, L, arrows, M, 0 to 9, and the sheet on ?", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    const isPaused = () => video(page).evaluate((media: HTMLVideoElement) => media.paused);
    await page.keyboard.press("k");
    await expect.poll(isPaused).toBe(true);
    await waitForStanding(page, picture);
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeCloseTo(37.5, 0);
    await page.keyboard.press("l");
    await expect.poll(() => position(page)).toBeCloseTo(47.5, 0);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => position(page)).toBeCloseTo(32.5, 0);
    const isMuted = () => video(page).evaluate((media: HTMLVideoElement) => media.muted);
    const before = await isMuted();
    await page.keyboard.press("m");
    await expect.poll(isMuted).toBe(!before);
    await page.keyboard.press("Space");
    await waitForPlaying(page, picture);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("no key is the player's while somebody types", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    const field = page.getByRole("searchbox").first();
    await field.focus();
    const muted = await video(page).evaluate((media: HTMLVideoElement) => media.muted);
    await page.keyboard.type("mk 5?");
    expect(await field.inputValue()).toBe("mk 5?");
    expect(await video(page).evaluate((media: HTMLVideoElement) => media.muted)).toBe(muted);
    expect((await framesWithin(page, picture, 400)).count).toBeGreaterThan(2);
    expect(await position(page)).toBeLessThan(30);
  });

  test("the seek bar seeks by pointer and keyboard and shows storyboard pictures", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    const bar = page.getByRole("slider", { name: "Seek" });
    const box = await bar.boundingBox();
    if (box === null) throw new Error("no seek bar");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator(".player-seek-tile").waitFor();
    await page.mouse.click(box.x + box.width * 0.8, box.y + box.height / 2);
    await expect.poll(() => position(page)).toBeGreaterThan(58);
    await bar.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => position(page)).toBeLessThan(5);
    expect(await bar.getAttribute("aria-valuetext")).toContain("of 1 minute, 15 seconds");
  });

  test("volume, mute and speed are remembered", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "clip-1");
    await page.locator(".player-volume").hover();
    await page.getByRole("slider", { name: "Volume" }).fill("0.3");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitemradio", { name: "1.5×" }).click();
    await openVideo(page, "clip-2");
    const read = () =>
      video(page).evaluate((media: HTMLVideoElement) => [media.volume, media.playbackRate]);
    await expect.poll(read).toEqual([0.3, 1.5]);
  });

  test("a long video goes over to the ladder at the same picture, and qualities can be chosen", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    await waitForLadder(page);
    expect(await page.locator("video").count()).toBe(1);
    await page.getByRole("button", { name: "Settings" }).click();
    const choices = page.getByRole("group", { name: "Quality" }).getByRole("menuitemradio");
    await choices.first().waitFor();
    const names = await choices.allTextContents();
    expect(names.map((name) => name.replace(/^Auto.*/, "Auto"))).toEqual(["Auto", "360p", "180p"]);
    await page.getByRole("menuitemradio", { name: "180p", exact: true }).click();
    await expect
      .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.videoHeight), {
        timeout: 30_000,
      })
      .toBe(180);
    await waitForPlaying(page, picture);
  });

  test("a short clip never loads the ladder's library", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "clip-1");
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .map((entry) => (entry as PerformanceResourceTiming).decodedBodySize),
    );
    expect(Math.max(...bytes)).toBeLessThan(350_000);
  });

  test("it resumes where the visitor left off, and offers to start over", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await playVideo(page, "long");
    await page.keyboard.press("4");
    await waitForPlaying(page, picture);
    await page.keyboard.press("k");
    await openVideo(page, "long");
    await expect.poll(() => position(page)).toBeGreaterThan(28);
    await page.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => position(page)).toBeLessThan(5);
  });

  test("a double tap on a side seeks 10 s", async () => {
    await using visit = await openPage(browser, phone);
    const { page } = visit;
    await playVideo(page, "long");
    const box = await page.locator(".player").boundingBox();
    if (box === null) throw new Error("no player");
    const before = await position(page);
    const right = { x: box.x + box.width * 0.9, y: box.y + box.height * 0.4 };
    await page.touchscreen.tap(right.x, right.y);
    await page.touchscreen.tap(right.x, right.y);
    await expect.poll(() => position(page)).toBeGreaterThan(before + 9);
  });

  test("the settings are a sheet that a thumb reaches, whatever the height of the film", async () => {
    await using visit = await openPage(browser, phone);
    const { page } = visit;
    await playVideo(page, "long");
    await page.locator(".player-touch").tap();
    const settings = page.getByRole("button", { name: "Settings" });
    await settings.tap();
    const menu = page.getByRole("menu", { name: "Settings" });
    await menu.waitFor();
    for (const item of await menu.getByRole("menuitemradio").all()) {
      // Nothing lies over it, and it lies within the screen.
      const isOnTop = await item.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return hit !== null && element.contains(hit);
      });
      expect(isOnTop).toBe(true);
    }
    await menu.getByRole("menuitemradio", { name: "1.5×" }).tap();
    await expect
      .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate))
      .toBe(1.5);
    const like = page.getByRole("button", { name: /^Like/ });
    const behind = await like.boundingBox();
    await page.touchscreen.tap((behind?.x ?? 0) + 20, (behind?.y ?? 0) + 20);
    await menu.waitFor({ state: "detached" });
    expect(await like.getAttribute("aria-pressed")).toBe("false");
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("the system is told what plays", async () => {
    await using visit = await openPage(browser, desktop);
    await playVideo(visit.page, "long");
    const told = await visit.page.evaluate(() => navigator.mediaSession.metadata?.title);
    expect(told).toBe("A long one");
  });

  test("without scripts the browser's own controls play it", async () => {
    await using visit = await openPage(browser, { ...desktop, javaScriptEnabled: false });
    await visit.page.goto(`${app.url}/video/clip-1`);
    const own = visit.page.locator("video[controls]");
    expect(await own.locator("source").getAttribute("src")).toMatch(/play\.mp4$/);
    expect(await own.isVisible()).toBe(true);
    // The one that waits for the player neither shows nor loads.
    const other = visit.page.locator("video:not([controls])");
    expect(await other.isVisible()).toBe(false);
    expect(await other.evaluate((media: HTMLVideoElement) => media.currentSrc)).toBe("");
  });

  test("every control has a name", async () => {
    await using visit = await openPage(browser, desktop);
    await playVideo(visit.page, "long");
    const unnamed = await visit.page
      .locator(".player button, .player [role=slider], .player input")
      .evaluateAll(
        (items) =>
          items.filter((item) => !(item.getAttribute("aria-label") || item.textContent?.trim()))
            .length,
      );
    expect(unnamed).toBe(0);
  });
});
