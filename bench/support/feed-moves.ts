import type { Browser, Page } from "playwright-core";
import { limits } from "#contract/limits.ts";
import { openVisit, phone, type Connection } from "./visit.ts";

/** Move to another clip. */
export interface Move {
  /** True if the next clip had a decoded frame when it began to move in. */
  hadFrame: boolean;
  /** From the end of the specified delay to the first newly presented frame. */
  frameMs: number;
}

const active = ".feed-item[data-active]";

/** Checks the next item when the scroll starts, and its frames from then on. */
async function installWatch(page: Page): Promise<void> {
  await page.addInitScript(
    ({ delayMs, giveUpMs }) => {
      const itemAt = (number: number) =>
        document.querySelector<HTMLElement>(`.feed-item[aria-posinset="${number}"]`);
      const watchMove = (number: number) =>
        new Promise((resolve) => {
          const scroller = document.querySelector(".feed-scroller");
          const item = itemAt(number);
          setTimeout(() => resolve(null), giveUpMs);
          const video = item?.querySelector("video") ?? null;
          if (scroller === null || item === null || video === null) return resolve(null);
          let hadFrame = false;
          scroller.addEventListener(
            "scroll",
            () => {
              hadFrame =
                video.readyState >= 2 && video.getVideoPlaybackQuality().totalVideoFrames > 0;
            },
            { once: true },
          );
          const begin = () => {
            const dueMs = performance.now() + delayMs;
            const onFrame = (now: number) => {
              if (video.paused || now < dueMs) return video.requestVideoFrameCallback(onFrame);
              resolve({ hadFrame, frameMs: now - dueMs });
            };
            video.requestVideoFrameCallback(onFrame);
          };
          // The delay runs from the moment the item is the active one.
          const changes = new MutationObserver(() => {
            if (!item.hasAttribute("data-active")) return;
            changes.disconnect();
            begin();
          });
          changes.observe(item, { attributeFilter: ["data-active"] });
        });
      Reflect.set(window, "watchMove", watchMove);
    },
    { delayMs: limits.autoplayDelayMs, giveUpMs: 20_000 },
  );
}

/** Visitors leave some clips after a second, some after three. */
const dwellsMs = [1000, 2000, 1500, 3000, 1500];

/** Moves down the feed `count` times, one key press at a time. */
export async function measureMoves(options: {
  browser: Browser;
  url: string;
  connection: Connection;
  count: number;
}): Promise<Move[]> {
  const { browser, url, connection, count } = options;
  await using visit = await openVisit(browser, connection, phone);
  const { page } = visit;
  await installWatch(page);
  await page.goto(url);
  await page.waitForFunction(
    () => document.querySelectorAll(".feed-item:not([hidden])").length > 1,
  );
  await page.waitForTimeout(3000);
  const moves: Move[] = [];
  while (moves.length < count) {
    const number = await page.locator(active).getAttribute("aria-posinset");
    // Two calls, because the observer must be installed before the key is pressed.
    await page.evaluate(
      (next) => {
        const watch = Reflect.get(window, "watchMove") as (at: number) => Promise<Move | null>;
        Reflect.set(window, "watchedMove", watch(next));
      },
      Number(number) + 1,
    );
    await page.keyboard.press("ArrowDown");
    const move = await page.evaluate(
      () => Reflect.get(window, "watchedMove") as Promise<Move | null>,
    );
    if (move === null) throw new Error(`no clip came after item ${number}`);
    moves.push(move);
    await page.waitForTimeout(dwellsMs[moves.length % dwellsMs.length] ?? 2000);
  }
  return moves;
}
