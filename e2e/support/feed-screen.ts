import type { Page } from "playwright-core";
import { waitForPlaying } from "./playback.ts";

/** Selectors and actions for the feed. */
export const activeItem = ".feed-item[data-active]";
export const activeVideo = `${activeItem} video`;
export const mountedItems = ".feed-item:not([hidden])";

export interface Shown {
  number: number;
  kind: "video" | "ad";
  slug: string | null;
}

/** Returns the current item with the position that is announced to screen readers. */
export function shownItem(page: Page): Promise<Shown> {
  return page.evaluate((query) => {
    const item = document.querySelector<HTMLElement>(query);
    if (item === null) throw new Error("nothing is shown");
    return {
      number: Number(item.getAttribute("aria-posinset")),
      kind: item.dataset["kind"] === "ad" ? ("ad" as const) : ("video" as const),
      slug: item.dataset["slug"] ?? null,
    };
  }, activeItem);
}

/** Waits until this item is on the screen and the scroll has ended. */
export async function waitForItem(page: Page, number: number): Promise<void> {
  await page.waitForFunction(
    ({ query, wanted }) => {
      const item = document.querySelector<HTMLElement>(query);
      const scroller = document.querySelector<HTMLElement>(".feed-scroller");
      if (item === null || scroller === null) return false;
      const way = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      return Number(item.getAttribute("aria-posinset")) === wanted && Math.abs(way) < 1.5;
    },
    { query: activeItem, wanted: number },
  );
}

/** Returns the number of items that are at least partly visible in the feed. */
export function countInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const frame = document.querySelector(".feed-scroller")?.getBoundingClientRect();
    if (frame === undefined) throw new Error("no feed");
    return [...document.querySelectorAll(".feed-item:not([hidden])")].filter((item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return Math.min(bottom, frame.bottom) - Math.max(top, frame.top) > 1.5;
    }).length;
  });
}

/** Waits until the feed is hydrated and has rendered the neighbors. */
export async function waitForLiveFeed(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelectorAll(".feed-item:not([hidden])").length > 1,
  );
}

/** Opens the feed and waits until its first request has ended. */
export async function openFeed(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await waitForLiveFeed(page);
  await page.waitForSelector("[role=feed][aria-busy=false]", { state: "attached" });
}

export async function openPlayingFeed(page: Page, url: string): Promise<void> {
  await openFeed(page, url);
  await waitForPlaying(page, activeVideo);
}

/** Swipes with one finger for `ms`, `way` pixels upwards, or downwards if negative. */
export async function swipe(
  page: Page,
  way: number,
  ms = 160,
  start?: { x: number; from: number },
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 390, height: 844 };
  const { x, from } = start ?? { x: width / 2 - 60, from: height / 2 + way / 2 };
  const steps = 12;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", y: number) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y }],
    });
  await touch("touchStart", from);
  for (let step = 1; step <= steps; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, ms / steps));
    await touch("touchMove", from - (way * step) / steps);
  }
  await touch("touchEnd", from - way);
  await client.detach();
}
