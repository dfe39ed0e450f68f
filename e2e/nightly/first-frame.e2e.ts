import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { makeAd } from "#test/factories/make-ad.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addShortClips } from "../support/player-clips.ts";
import { openVisitor, screens } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
beforeAll(async () => {
  await addShortClips(app, 3);
  await makeAd(app.db, { placement: "header", width_px: 728, height_px: 90 });
});

interface ScreenState {
  /** True while the first video has no frame. */
  isWaiting: boolean;
  videoBox: string;
  text: string;
}

/** Records the screen frame by frame until a delayed video and the app have loaded. */
async function recordScreen(page: Page, path: string): Promise<ScreenState[]> {
  const read = () => page.evaluate(() => Reflect.get(window, "states") as ScreenState[]);
  await page.route("**/*.mp4", async (route) => {
    const hasWaited = async () => (await read()).some(({ isWaiting }) => isWaiting);
    await expect.poll(hasWaited).toBe(true);
    await route.continue();
  });
  await page.addInitScript(() => {
    const states: ScreenState[] = [];
    Reflect.set(window, "states", states);
    const look = () => {
      const video = document.querySelector("video");
      if (video !== null && document.readyState !== "loading") {
        const { x, y, width, height } = video.getBoundingClientRect();
        states.push({
          isWaiting: document.documentElement.hasAttribute("data-first-video"),
          videoBox: [x, y, width, height].map(Math.round).join(" "),
          text: document.body.innerText.trim(),
        });
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${app.url}${path}`);
  await page.locator(".player-controls, .feed-touch").first().waitFor({ state: "attached" });
  await expect.poll(async () => (await read()).at(-1)?.isWaiting).toBe(false);
  await page.waitForTimeout(500);
  return await read();
}

const pages = [
  ["the feed", "/"],
  ["a video page", "/video/clip-1"],
] as const;

describe.each(pages)("%s opens with its video", (_, path) => {
  test.each(Object.entries(screens))(
    "shifts nothing when the first frame and the app load: %s",
    async (_size, viewport) => {
      const { page } = await openVisitor(app.url, { viewport });
      const shifts = await noteLayoutShifts(page);
      const states = await recordScreen(page, path);
      const waiting = states.filter(({ isWaiting }) => isWaiting);
      expect(waiting.length).toBeGreaterThan(0);
      expect(states.at(-1)?.isWaiting).toBe(false);
      expect(new Set(states.map(({ videoBox }) => videoBox)).size).toBe(1);
      expect(await shifts()).toBeLessThan(0.02);
      // The text doesn't wait for the video.
      expect(waiting.at(-1)?.text).toContain("Clip");
    },
  );

  test("requests the video before scripts and fonts", async () => {
    const { page } = await openVisitor(app.url, { viewport: screens.laptop });
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await page.goto(`${app.url}${path}`);
    await expect.poll(() => paths.some((each) => each.endsWith(".js"))).toBe(true);
    const video = paths.findIndex((each) => each.endsWith(".mp4"));
    expect(video).not.toBe(-1);
    expect(video).toBeLessThan(paths.findIndex((each) => /\.(js|woff2)$/.test(each)));
  });

  test.each<[string, BrowserContextOptions]>([
    ["without scripts", { javaScriptEnabled: false }],
    ["under reduced motion", { reducedMotion: "reduce" }],
  ])("shows the whole page at once %s", async (_how, options) => {
    const { page } = await openVisitor(app.url, { viewport: screens.laptop, ...options });
    await page.goto(`${app.url}${path}`);
    const bar = await page.getByRole("navigation", { name: "Main" }).boundingBox();
    expect(bar?.height).toBeLessThan(60);
    await expect
      .poll(() => page.getByRole("link", { name: "Trending" }).first().isVisible())
      .toBe(true);
  });

  test("doesn't start the video under reduced motion", async () => {
    const { page } = await openVisitor(app.url, {
      viewport: screens.laptop,
      reducedMotion: "reduce",
    });
    await page.goto(`${app.url}${path}`);
    await page.locator(".player-controls, .feed-touch").first().waitFor({
      state: "attached",
    });
    await page.waitForTimeout(500);
    const isPaused = await page.evaluate(() => document.querySelector("video")?.paused);
    expect(isPaused).toBe(true);
  });
});

test("shows an ad slot above the video in these tests", async () => {
  const html = await (await fetch(`${app.url}/video/clip-1`)).text();
  expect(html).toMatch(/<main [^]* data-slot="header"[^]* class="player-picture"/);
});

test("fills the frame of an embed, however small", async () => {
  for (const viewport of [screens.phone, screens.tablet, { width: 320, height: 180 }]) {
    await using visit = await openVisitor(app.url, { viewport });
    await visit.page.goto(`${app.url}/embed/clip-1`);
    const box = await visit.page.locator(".player").boundingBox();
    expect(box).toEqual({ x: 0, y: 0, ...viewport });
  }
});
