import { expect } from "vitest";
import type { EnginePage } from "./engine-page.ts";
import { retry } from "./in-page.ts";

/** Waits until a function of the page returns something truthy. */
export async function waitFor<Args extends unknown[], Result>(
  page: EnginePage,
  run: (...args: Args) => Result,
  ...args: Args
): Promise<NonNullable<Awaited<Result>>> {
  return retry<NonNullable<Awaited<Result>>>(
    () => page.evaluate(run, ...args) as Promise<NonNullable<Awaited<Result>> | null>,
    async () =>
      `${page.engine}, ${page.size}: never true: ${String(run)} with ${JSON.stringify(args)} at ${await page.evaluate(() => location.href)}`,
  );
}

/** Waits until React has taken over the page. */
export const waitForHydration = (page: EnginePage): Promise<unknown> =>
  waitFor(page, () => {
    const part = document.querySelector("#root main");
    return part !== null && Object.keys(part).some((key) => key.startsWith("__reactFiber"));
  });

export const heading = (page: EnginePage): Promise<string> =>
  page.evaluate(() => document.querySelector("h1, h2")?.textContent ?? "");

/** Waits until an element with this text is shown. */
export const waitForText = (page: EnginePage, css: string, text: string): Promise<unknown> =>
  waitFor(
    page,
    (query, wanted) =>
      [...document.querySelectorAll(query)].some(
        (element) => element.checkVisibility() && element.textContent.includes(wanted),
      ),
    css,
    text,
  );

/** Waits until a video shows new frames. */
export async function waitForPlaying(page: EnginePage, css: string): Promise<void> {
  const read = (query: string) => {
    const video = document.querySelector<HTMLVideoElement>(query);
    if (video === null || video.paused || video.videoWidth === 0) return null;
    return video.currentTime;
  };
  let last: number | null = null;
  await retry(
    async () => {
      const now = await page.evaluate(read, css);
      const moves = last !== null && now !== null && now > last + 0.1;
      if (last === null || now === null || now < last) last = now;
      return moves;
    },
    async () =>
      `${page.engine}: the video does not play: ${await page.evaluate((query) => {
        const video = document.querySelector<HTMLVideoElement>(query);
        if (video === null) return "no video";
        const { paused, currentTime, readyState, error, currentSrc } = video;
        return JSON.stringify({ paused, currentTime, readyState, error: error?.code, currentSrc });
      }, css)}`,
  );
}

/** Selects the video of the player. */
export const video = ".player-media";

/** Runs in the page. */
export function seek(css: string, positionS: number): void {
  const media = document.querySelector<HTMLVideoElement>(css);
  if (media !== null) media.currentTime = positionS;
}

/** Expects a dialog on the screen, which scrolls only if its content doesn't fit. */
export async function expectWholeDialog(page: EnginePage): Promise<void> {
  const { hidden, isOnScreen, spare } = await waitFor(page, () => {
    const dialog = document.querySelector("[role=dialog].dialog-popup");
    if (dialog === null || dialog.getAnimations({ subtree: true }).length > 0) return null;
    const body = dialog.querySelector(".overflow-y-auto") ?? dialog;
    const { top, bottom } = dialog.getBoundingClientRect();
    return {
      hidden: body.scrollHeight - body.clientHeight,
      isOnScreen: top >= 0 && bottom <= innerHeight,
      spare: innerHeight - (bottom - top),
    };
  });
  expect(isOnScreen).toBe(true);
  if (spare > 40) expect(hidden).toBeLessThanOrEqual(1);
}
