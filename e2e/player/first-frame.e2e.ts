import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import { makeAd } from "../../test/factories/make-ad.ts";
import { launchBrowser, openPage } from "../support/player-browser.ts";
import { addShortClips } from "../support/player-clips.ts";
import { screens } from "../support/browser.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 3);
  await makeAd(app.database.db, { placement: "header", width_px: 728, height_px: 90 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

interface Stand {
  /** What `data-film` said, or "over". */
  film: string;
  place: string;
  ground: string;
  /** Words that could be read. */
  words: string;
}

/** On a near line, with a film that takes its time: what stood on the screen, frame by frame. */
async function watchStands(page: Page, path: string): Promise<Stand[]> {
  await page.route("**/*.mp4", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await page.addInitScript(() => {
    // However slow the machine: the page begins as one that came at once.
    const now = performance.now.bind(performance);
    performance.now = () => Math.min(now(), 100);
    const stands: Stand[] = [];
    Reflect.set(window, "stands", stands);
    const look = () => {
      const film = document.querySelector("video");
      if (film !== null && document.readyState !== "loading") {
        const { x, y, width, height } = film.getBoundingClientRect();
        stands.push({
          film: document.documentElement.dataset["film"] ?? "over",
          place: [x, y, width, height].map(Math.round).join(" "),
          ground: getComputedStyle(document.body.parentElement ?? document.body).backgroundColor,
          words: document.body.innerText.trim(),
        });
      }
      if (stands.at(-1)?.film !== "over") requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${app.url}${path}`);
  await page.locator("h1").first().waitFor({ state: "attached" });
  const stands = () => page.evaluate(() => Reflect.get(window, "stands") as Stand[]);
  await expect.poll(async () => (await stands()).at(-1)?.film, { timeout: 10_000 }).toBe("over");
  return await stands();
}

const pages = [
  ["the feed", "/"],
  ["a video page", "/video/clip-1"],
] as const;

describe.each(pages)("%s opens with its film alone", (_, path) => {
  test.each(Object.entries(screens))(
    "and nothing moves when the rest comes: %s",
    async (_size, viewport) => {
      await using visit = await openPage(browser, { viewport });
      const stands = await watchStands(visit.page, path);
      const alone = stands.filter(({ film }) => film === "alone");
      const after = stands.at(-1);
      expect(alone.length).toBeGreaterThan(0);
      expect(new Set(alone.map(({ place }) => place))).toEqual(new Set([after?.place]));
      expect(new Set(alone.map(({ ground }) => ground))).toEqual(new Set([after?.ground]));
      expect(alone.map(({ words }) => words).join("")).toBe("");
      expect(after?.words).not.toBe("");
      expect(visit.problems).toEqual([]);
    },
  );

  test.each<[string, BrowserContextOptions]>([
    ["without scripts", { javaScriptEnabled: false }],
    ["under reduced motion", { reducedMotion: "reduce" }],
  ])("and has all its styles at once %s", async (_how, options) => {
    await using visit = await openPage(browser, { viewport: screens.laptop, ...options });
    await visit.page.goto(`${app.url}${path}`);
    const bar = await visit.page.getByRole("navigation", { name: "Main" }).boundingBox();
    expect(bar?.height).toBeLessThan(60);
    expect(await visit.page.getByRole("link", { name: "Trending" }).first().isVisible()).toBe(true);
  });
});

test("the video page that was looked at had room for an ad above its film", async () => {
  const html = await (await fetch(`${app.url}/video/clip-1`)).text();
  expect(html).toMatch(/<main [^]* data-place="header"[^]* class="player-picture"/);
});

test("an embedded film fills its frame, however small", async () => {
  for (const viewport of [screens.phone, screens.tablet, { width: 320, height: 180 }]) {
    await using visit = await openPage(browser, { viewport });
    await visit.page.goto(`${app.url}/embed/clip-1`);
    const place = await visit.page.locator(".player").boundingBox();
    expect(place).toEqual({ x: 0, y: 0, ...viewport });
  }
});
