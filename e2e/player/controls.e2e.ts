import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  desktop,
  framesWithin,
  openPage,
  waitForPlaying,
  waitForStanding,
} from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addClip, addShortClips } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 2);
  await addClip(app, "long", { title: "A long one", slug: "long" });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const picture = ".player video";
const video = (page: Page) => page.locator(picture).first();

async function openPlaying(page: Page, slug: string): Promise<void> {
  await page.goto(`${app.url}/video/${slug}`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await waitForPlaying(page, picture);
}
const widthOf = async (page: Page) => (await page.locator(".player").boundingBox())?.width ?? 0;

describe("how a video page begins", () => {
  test("by itself, and where the browser wants silence one press gives the sound", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    // Whatever a test asks of a page counts as a press of its visitor; this one has pressed nothing.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "userActivation", {
        get: () => ({ hasBeenActive: false, isActive: false }),
      });
    });
    await openPlaying(page, "clip-1");
    const isMuted = () => video(page).evaluate((media: HTMLVideoElement) => media.muted);
    expect(await isMuted()).toBe(true);
    await page.getByRole("button", { name: "Tap to unmute" }).click();
    await expect.poll(isMuted).toBe(false);
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("not by itself under reduced motion", async () => {
    await using visit = await openPage(browser, { ...desktop, reducedMotion: "reduce" });
    const { page } = visit;
    await page.goto(`${app.url}/video/clip-1`);
    await page.locator(".player-big-play").waitFor();
    await waitForStanding(page, picture);
    expect((await framesWithin(page, picture, 100)).positionS).toBe(0);
    await page.locator(".player-big-play").click();
    await waitForPlaying(page, picture);
  });
});

describe("the player's controls", () => {
  test("theatre mode takes the whole width, by key and by button, and the film plays on", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlaying(page, "clip-1");
    const before = await widthOf(page);
    await page.keyboard.press("t");
    await expect.poll(() => widthOf(page)).toBeGreaterThan(before + 200);
    expect((await framesWithin(page, picture, 500)).count).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Leave theatre mode" }).click();
    await expect.poll(() => widthOf(page)).toBeCloseTo(before, 0);
    expect((await framesWithin(page, picture, 500)).count).toBeGreaterThan(3);
  });

  test("F fills the screen with the player and its controls, and leaves it again", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlaying(page, "clip-1");
    const isFull = () =>
      page.evaluate(() => document.fullscreenElement?.classList.contains("player") ?? false);
    await page.keyboard.press("f");
    await expect.poll(isFull).toBe(true);
    await page.mouse.move(400, 400);
    await page.getByRole("button", { name: "Leave full screen" }).click();
    await expect.poll(isFull).toBe(false);
  });

  test("the picture goes into a window of its own and comes back", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlaying(page, "clip-1");
    const button = page.getByRole("button", { name: "Picture in picture" });
    const isInWindow = () =>
      video(page).evaluate((media) => document.pictureInPictureElement === media);
    await page.keyboard.press("i");
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    expect(await isInWindow()).toBe(true);
    await waitForPlaying(page, picture);
    await page.keyboard.press("k");
    await waitForStanding(page, picture);
    await page.keyboard.press("k");
    await waitForPlaying(page, picture);
    await button.click();
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("false");
    expect(await isInWindow()).toBe(false);
    await waitForPlaying(page, picture);
    expect(visit.problems).toEqual([]);
  });

  test("captions where there are any: button, key, menu, and the choice is remembered", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlaying(page, "clip-1");
    expect(await page.getByRole("button", { name: "Captions" }).count()).toBe(0);
    const addTrack = () =>
      video(page).evaluate((media: HTMLVideoElement) => {
        media.addTextTrack("captions", "English", "en");
      });
    const mode = () =>
      video(page).evaluate((media: HTMLVideoElement) => media.textTracks[0]?.mode ?? "none");
    await addTrack();
    const button = page.getByRole("button", { name: "Captions" });
    await button.waitFor({ state: "attached" });
    await page.keyboard.press("c");
    await expect.poll(mode).toBe("showing");
    await page.getByRole("button", { name: "Settings" }).click();
    const group = page.getByRole("group", { name: "Captions" });
    await group.getByRole("menuitemradio", { name: "Off" }).click();
    await expect.poll(mode).toBe("disabled");
    await group.getByRole("menuitemradio", { name: "English" }).click();
    await openPlaying(page, "clip-0");
    await addTrack();
    await expect.poll(mode).toBe("showing");
  });

  test("the keys for speed go in quarters and stop at 0.25 and 2", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlaying(page, "long");
    const rate = () => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate);
    await page.keyboard.press("Shift+>");
    await expect.poll(rate).toBe(1.25);
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("Shift+>");
    await expect.poll(rate).toBe(2);
    for (let press = 0; press < 9; press += 1) await page.keyboard.press("Shift+<");
    await expect.poll(rate).toBe(0.25);
  });
});
