import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Errors of the page that no test has asked for. */
  problems: string[];
}

/** A page of its own context; collects what went wrong in it. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = desktop,
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** The picture of a page: which frames its video shows, counted by the browser. */
export interface Frames {
  count: number;
  positionS: number;
}

/** Frames that the element presents within this time: none means that the picture stands. */
export async function framesWithin(page: Page, selector: string, ms: number): Promise<Frames> {
  return page.evaluate(
    async ({ selector: query, ms: time }) => {
      const video = document.querySelector<HTMLVideoElement>(query);
      if (video === null) throw new Error(`no video at ${query}`);
      let count = 0;
      let isOver = false;
      const next = () => {
        video.requestVideoFrameCallback(() => {
          if (isOver) return;
          count += 1;
          next();
        });
      };
      next();
      await new Promise((resolve) => setTimeout(resolve, time));
      isOver = true;
      return { count, positionS: video.currentTime };
    },
    { selector, ms },
  );
}

/** Waits until the picture moves: three frames and time that goes on. */
export async function waitForPlaying(page: Page, selector: string): Promise<void> {
  const until = Date.now() + 25_000;
  let seen = "no video";
  while (Date.now() < until) {
    const { isPlaying, state } = await page.evaluate(async (query) => {
      const video = document.querySelector<HTMLVideoElement>(query);
      if (video === null) return { isPlaying: false, state: "no video" };
      const from = video.currentTime;
      const frame = () =>
        new Promise<boolean>((resolve) => {
          video.requestVideoFrameCallback(() => resolve(true));
          setTimeout(() => resolve(false), 400);
        });
      const shown = video.paused ? [] : [await frame(), await frame(), await frame()];
      const { paused, currentTime, readyState, error } = video;
      return {
        isPlaying: shown.length === 3 && shown.every(Boolean) && !paused && currentTime !== from,
        state: JSON.stringify({ paused, currentTime, readyState, error: error?.code, shown }),
      };
    }, selector);
    if (isPlaying) return;
    seen = state;
    await page.waitForTimeout(100);
  }
  throw new Error(`the picture does not move: ${seen}`);
}

/** Frames and time of every element there: not only the first of two neighbours. */
function movesWithin(page: Page, selector: string, ms: number): Promise<number[]> {
  return page.evaluate(
    async ({ selector: query, ms: time }) => {
      let isOver = false;
      const looks = [...document.querySelectorAll<HTMLVideoElement>(query)].map((video) => {
        const from = video.currentTime;
        let frames = 0;
        const next = () => {
          video.requestVideoFrameCallback(() => {
            if (isOver) return;
            frames += 1;
            next();
          });
        };
        next();
        return () => frames + Math.abs(video.currentTime - from);
      });
      await new Promise((resolve) => setTimeout(resolve, time));
      isOver = true;
      return looks.map((look) => look());
    },
    { selector, ms },
  );
}

/**
 * Waits until no picture moves: not one frame and no time that goes on, in any of the elements. What
 * plays never gets there; a last frame after a pause, or the first one of a clip that waits, may come.
 */
export async function waitForStanding(page: Page, selector: string): Promise<void> {
  const until = Date.now() + 10_000;
  let seen: number[] = [];
  while (Date.now() < until) {
    seen = await movesWithin(page, selector, 500);
    if (seen.length === 0) throw new Error(`no video at ${selector}`);
    if (seen.every((moves) => moves === 0)) return;
  }
  throw new Error(`the picture moves: ${JSON.stringify(seen)}`);
}
