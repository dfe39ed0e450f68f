import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/app.ts";
import {
  activeItem,
  activeVideo,
  openFeed,
  openPlayingFeed,
  shownItem,
  waitForItem,
} from "../support/feed-screen.ts";
import { desktop, openPage, phone, waitForPlaying } from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addShortClips } from "../support/player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 8);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** How much more red than green and blue, of 255. */
function redness(page: Page, color: string): Promise<number> {
  return page.evaluate((css) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (canvas === null) throw new Error("no canvas");
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return red - Math.max(green, blue);
  }, color);
}
const rail = (page: Page) => page.locator(".feed-side-rail");

async function likesOf(slug: string | null): Promise<number> {
  const row = await app.database.db
    .selectFrom("videos")
    .select("likes")
    .where("slug", "=", slug ?? "")
    .executeTakeFirst();
  return row?.likes ?? -1;
}

describe("the action rail", () => {
  test("a like counts at once, holds, and is still there after a reload", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openFeed(page, `${app.url}/feed/clip-1`);
    const like = rail(page).getByRole("button", { name: /^Like/ });
    expect(await like.getAttribute("aria-pressed")).toBe("false");
    await like.click();
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => like.isEnabled()).toBe(true);
    expect(await like.textContent()).toBe("1");
    expect(await likesOf("clip-1")).toBe(1);
    await openFeed(page, `${app.url}/feed/clip-1`);
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("l");
    await expect.poll(() => likesOf("clip-1")).toBe(0);
  });

  test("a like counts at once; while it is on its way the button reads Liking..., then the server's count stands", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/like", async (route) => {
      await held;
      await route.continue();
    });
    await openFeed(page, `${app.url}/feed/clip-2`);
    const like = rail(page).getByRole("button").first();
    const facts = page.locator(".feed-details-facts");
    expect(await facts.textContent()).toContain("· 0 likes ·");
    await like.click();
    await expect.poll(() => like.textContent()).toBe("Liking...");
    expect(await like.isDisabled()).toBe(true);
    expect(await like.getAttribute("aria-label")).toBe("Liking...");
    expect(await facts.textContent()).toContain("· 1 like ·");
    // Others have liked it meanwhile.
    const { db } = app.database;
    await db.updateTable("videos").set({ likes: 41 }).where("slug", "=", "clip-2").execute();
    release();
    await expect.poll(() => like.textContent()).toBe("42");
    expect(await facts.textContent()).toContain("· 42 likes ·");
    expect(await like.isEnabled()).toBe(true);
  });

  test("a like that fails is taken back, with a word about it", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await page.route("**/like", (route) => route.fulfill({ status: 500, json: { message: "no" } }));
    await openPlayingFeed(page, `${app.url}/feed/clip-3`);
    const like = rail(page).getByRole("button", { name: /^Like/ });
    await like.click();
    const word = page.getByText("Failed to update like. Please try again.");
    await word.waitFor();
    const color = await word.evaluate((toast) => getComputedStyle(toast).backgroundColor);
    expect(await redness(page, color)).toBeGreaterThan(50);
    expect(await like.getAttribute("aria-pressed")).toBe("false");
    expect(await like.textContent()).toBe("0");
    expect(await likesOf("clip-3")).toBe(0);
    await waitForPlaying(page, activeVideo);
    await word.waitFor({ state: "detached" });
  });

  test("a saved clip stands among the favorites", async () => {
    await using visit = await openPage(browser, phone);
    const { page } = visit;
    await openFeed(page, `${app.url}/feed/clip-4`);
    const save = page
      .locator(`${activeItem} .feed-rail`)
      .getByRole("button", { name: "Save to favorites" });
    await save.click();
    const forget = page.locator(activeItem).getByRole("button", { name: "Remove from favorites" });
    await forget.waitFor();
    const names = () =>
      page.evaluate(async () => {
        const answer = await fetch("/api/favorites");
        const { videos }: { videos: { slug: string }[] } = await answer.json();
        return videos.map(({ slug }) => slug);
      });
    await expect.poll(names).toEqual(["clip-4"]);
    await openFeed(page, `${app.url}/feed/clip-4`);
    await forget.click();
    await expect.poll(names).toEqual([]);
  });

  test("sharing copies the clip's address where the device has no sheet of its own", async () => {
    await using visit = await openPage(browser, {
      ...desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = visit;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "share", { value: undefined });
    });
    await openFeed(page, `${app.url}/feed/clip-5`);
    const said = new Promise<string>((resolve) => {
      page.once("dialog", (dialog) => {
        resolve(dialog.message());
        void dialog.accept();
      });
    });
    await rail(page).getByRole("button", { name: "Share" }).click();
    expect(await said).toBe("Link copied to clipboard!");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${app.url}/feed/clip-5`,
    );
    await waitForPlaying(page, activeVideo);
  });

  test("sharing uses the device's own sheet where there is one", async () => {
    await using visit = await openPage(browser, phone);
    const { page } = visit;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "share", {
        value: (what: unknown) => {
          Reflect.set(window, "shared", what);
          return Promise.resolve();
        },
      });
    });
    await openFeed(page, `${app.url}/feed/clip-5`);
    await page.locator(`${activeItem} .feed-rail`).getByRole("button", { name: "Share" }).click();
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, "shared")))
      .toEqual({ title: "Clip 5", url: `${app.url}/feed/clip-5` });
  });
});

describe("addresses", () => {
  test("each clip has its own address, and a visit to it begins there", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    const { slug } = await shownItem(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/feed/${slug}`);
    await openFeed(page, page.url());
    expect((await shownItem(page)).slug).toBe(slug);
  });

  test("an unknown clip is a 404 page", async () => {
    await using visit = await openPage(browser, desktop);
    const answer = await visit.page.goto(`${app.url}/feed/no-such-clip`);
    expect(answer?.status()).toBe(404);
  });

  test("Back from a clip's page finds the same clip between the same neighbours", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const seen: (string | null)[] = [(await shownItem(page)).slug];
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      seen.push((await shownItem(page)).slug);
    }
    await page.locator("aside[aria-label=Details] a").first().click();
    await page.waitForURL(`**/video/${seen[3]}`);
    await page.waitForFunction(() => document.querySelector("[role=feed]") === null);
    await page.goBack();
    await page.waitForSelector("[role=feed]");
    await waitForItem(page, 4);
    expect((await shownItem(page)).slug).toBe(seen[3]);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    expect((await shownItem(page)).slug).toBe(seen[2]);
    expect(visit.problems).toEqual([]);
  });

  test("a reload in the middle keeps what came before and after", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await openPlayingFeed(page, app.url);
    const seen: (string | null)[] = [(await shownItem(page)).slug];
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      seen.push((await shownItem(page)).slug);
    }
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.reload();
    await waitForItem(page, 3);
    expect((await shownItem(page)).slug).toBe(seen[2]);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    expect((await shownItem(page)).slug).toBe(seen[3]);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 2);
    expect((await shownItem(page)).slug).toBe(seen[1]);
  });

  test("moving through the feed does not fill the history", async () => {
    await using visit = await openPage(browser, desktop);
    const { page } = visit;
    await page.goto(`${app.url}/home`);
    await openFeed(page, app.url);
    const before = await page.evaluate(() => history.length);
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    expect(await page.evaluate(() => history.length)).toBe(before);
  });
});
