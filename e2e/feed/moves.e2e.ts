import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
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
import { languages } from "../support/languages.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";

const site = shareSite((app) => addShortClips(app, 12));

/** Waits until the feed has not scrolled for 300 ms. */
async function waitForScrollEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const scroller = document.querySelector(".feed-scroller");
    if (scroller === null) throw new Error("no feed");
    let last = NaN;
    let quietMs = 0;
    while (quietMs < 300) {
      quietMs = scroller.scrollTop === last ? quietMs + 50 : 0;
      last = scroller.scrollTop;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
}

type TouchEventName = "touchStart" | "touchMove" | "touchEnd" | "touchCancel";

/**
 * Returns a function that touches the middle of the screen at these heights. An empty list ends the
 * touch.
 */
async function openTouch(page: Page) {
  const client = await page.context().newCDPSession(page);
  return (type: TouchEventName, ...heights: number[]) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: heights.map((y, id) => ({ x: 120 + id * 60, y, id })),
    });
}

const scrollTop = (page: Page) =>
  page.locator(".feed-scroller").evaluate((element) => element.scrollTop);

describe("a touch that is interrupted leaves the feed on one item", () => {
  test.each<
    [
      string,
      (page: Page, touch: Awaited<ReturnType<typeof openTouch>>) => Promise<unknown>,
      prefix?: string,
    ]
  >([
    ["by the system", (_, touch) => touch("touchCancel")],
    ["by the system, in Arabic", (_, touch) => touch("touchCancel"), "/ar"],
    [
      "by a second finger",
      async (_, touch) => {
        await touch("touchStart", 430, 520);
        await touch("touchMove", 400, 500);
        await touch("touchEnd");
      },
    ],
    [
      "as its target leaves the page",
      async (page, touch) => {
        await page.locator(`${activeItem} .feed-touch`).evaluate((touched) => touched.remove());
        await touch("touchEnd");
      },
    ],
    [
      "as another program takes over, without an end",
      (page) => page.evaluate(() => window.dispatchEvent(new Event("blur"))),
    ],
  ])("%s", async (_name, interrupt, prefix = "") => {
    const { page } = await site.open(phone);
    await openPlayingFeed(page, site.url + prefix);
    const touch = await openTouch(page);
    await touch("touchStart", 600);
    for (let y = 590; y >= 430; y -= 10) await touch("touchMove", y);
    await page.waitForFunction(
      () => (document.querySelector(".feed-scroller")?.scrollTop ?? 0) > 60,
    );
    await interrupt(page, touch);
    await waitForScrollEnd(page);
    const height = await page.locator(".feed-scroller").evaluate((element) => element.clientHeight);
    await expect.poll(async () => Math.round((await scrollTop(page)) % height)).toBe(0);
    await expect.poll(() => countInSight(page)).toBe(1);
    await expect
      .poll(async () => (await shownItem(page)).number)
      .toBe(1 + Math.round((await scrollTop(page)) / height));
  });
});

describe("moving through the feed", () => {
  test("shows the same feed at / and /feed, with one item per screen", async () => {
    for (const path of ["/", "/feed"]) {
      await using visit = await site.open(phone);
      await openPlayingFeed(visit.page, site.url + path);
      await expect.poll(() => visit.page.locator("h1").textContent()).toBe("For You");
      const size = async () => {
        const box = await visit.page.locator(activeItem).boundingBox();
        const bar = await visit.page.locator("nav[aria-label=Tabs]").boundingBox();
        return [box?.width, Math.round((box?.height ?? 0) + (bar?.height ?? 0))];
      };
      await expect.poll(size).toEqual([390, 844]);
      await expect.poll(() => countInSight(visit.page)).toBe(1);
    }
  });

  test("shows a 9:16 frame with panels and the site's name on a desktop", async () => {
    const { page } = await site.open(desktop);
    await openFeed(page, site.url);
    const ratio = async () => {
      const box = await page.locator(activeItem).boundingBox();
      return (box?.width ?? 0) / (box?.height ?? 1);
    };
    await expect.poll(ratio).toBeCloseTo(9 / 16, 2);
    await expect.poll(() => page.locator(".feed-label").textContent()).toContain("Kinora");
    const { slug } = await shownItem(page);
    const details = page.locator("aside[aria-label=Details]");
    await expect.poll(() => details.isVisible()).toBe(true);
    await expect
      .poll(() => details.locator("a").first().getAttribute("href"))
      .toBe(`/video/${slug}`);
    await page.locator("aside[aria-label='Up next']").waitFor();
  });

  test("moves on a slow swipe of 51 px, but not of 50 px at any speed", async () => {
    const { page } = await site.open(phone);
    await openPlayingFeed(page, site.url);
    await swipe(page, 51, 900);
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    for (const ms of [900, 60]) {
      await swipe(page, 50, ms);
      await waitForScrollEnd(page);
      await waitForItem(page, 2);
      await waitForPlaying(page, activeVideo);
    }
  });

  test("keeps the first item when it is pulled down", async () => {
    const { page } = await site.open(phone);
    await openFeed(page, site.url);
    await swipe(page, -300);
    await waitForScrollEnd(page);
    await waitForItem(page, 1);
  });

  test("moves one item per wheel notch", async () => {
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    await page.mouse.move(720, 450);
    for (const [delta, number] of [
      [120, 2],
      [120, 3],
      [-120, 2],
    ] as const) {
      await page.mouse.wheel(0, delta);
      await waitForItem(page, number);
      // The wheel gate ignores events for 300 ms after a move.
      await page.waitForTimeout(350);
    }
  });

  test.each(languages)(
    "moves one item per wheel flick, over the video and the panels, in $language",
    async ({ prefix }) => {
      const { page } = await site.open(desktop);
      const shifts = await noteLayoutShifts(page);
      await openPlayingFeed(page, site.url + prefix);
      await expect.poll(shifts).toBeLessThan(0.02);
      for (const [x, number] of [
        [640, 2],
        [60, 3],
        [1300, 4],
      ] as const) {
        // Sent in one task, because over the protocol a busy machine would spread them over several
        // gestures.
        await page.evaluate((at) => {
          for (let notch = 0; notch < 12; notch += 1) {
            document
              .elementFromPoint(at, 300)
              ?.dispatchEvent(
                new WheelEvent("wheel", { deltaY: 120, bubbles: true, cancelable: true }),
              );
          }
        }, x);
        await waitForItem(page, number);
        await waitForScrollEnd(page);
        await waitForItem(page, number);
      }
      await expect.poll(shifts).toBeLessThan(0.02);
    },
  );

  test.each(languages)(
    "moves one item on a mouse drag, beside and on the video, without pausing, in $language",
    async ({ prefix }) => {
      const { page } = await site.open(desktop);
      await openPlayingFeed(page, site.url + prefix);
      for (const [x, number] of [
        [60, 2],
        [640, 3],
      ] as const) {
        await page.mouse.move(x, 500);
        await page.mouse.down();
        await page.mouse.move(x, 400, { steps: 5 });
        await page.mouse.up();
        await waitForItem(page, number);
        await waitForPlaying(page, activeVideo);
      }
    },
  );

  test.each(languages)("pauses and moves with media keys, in $language", async ({ prefix }) => {
    const { page } = await site.open(desktop);
    await page.addInitScript(() => {
      const handlers = new Map<string, MediaSessionActionHandler | null>();
      navigator.mediaSession.setActionHandler = (name, handler) => void handlers.set(name, handler);
      Object.assign(globalThis, {
        pressKey: (action: MediaSessionAction) => handlers.get(action)?.({ action }),
      });
    });
    const press = (name: MediaSessionAction) =>
      page.evaluate((key) => {
        const { pressKey } = globalThis as unknown as {
          pressKey: (action: MediaSessionAction) => void;
        };
        pressKey(key);
      }, name);
    /** Media keys control the clip shown by the system. */
    const waitForKeys = async () => {
      const title = await page.locator(`${activeItem} .feed-title`).textContent();
      await expect
        .poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title))
        .toBe(title);
    };
    await openPlayingFeed(page, site.url + prefix);
    await waitForKeys();
    await press("pause");
    await waitForStopped(page, activeVideo);
    await press("nexttrack");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await waitForKeys();
    await press("previoustrack");
    await waitForItem(page, 1);
  });

  test("moves three items on three presses in a row", async () => {
    const { page } = await site.open(desktop);
    await openFeed(page, site.url);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await waitForPlaying(page, activeVideo);
  });

  test("ignores keys while the visitor types in a field", async () => {
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    const field = page.getByRole("combobox", { name: "Search videos" });
    await field.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type(" m l");
    await waitForItem(page, 1);
    await expect.poll(() => field.inputValue()).toBe(" m l");
    await waitForPlaying(page, activeVideo);
    await expect
      .poll(() => page.locator(activeVideo).evaluate((video: HTMLVideoElement) => video.muted))
      .toBe(true);
  });

  test("keeps the item when the phone is turned", async () => {
    const { page } = await site.open(phone);
    await openPlayingFeed(page, site.url);
    await swipe(page, 300);
    await waitForItem(page, 2);
    await page.setViewportSize({ width: 844, height: 390 });
    await waitForItem(page, 2);
    await page.setViewportSize({ width: 390, height: 844 });
    await waitForItem(page, 2);
  });
});
