import type { Page } from "playwright-core";

/** Selectors and actions for an ad break and the video around it. */
export const adBreak = ".spot-break";
export const adVideo = `${adBreak} video`;
/**
 * There are two elements during the switch from the first file to the ladder. The first one is
 * visible.
 */
export const content = ".player-media";

/** Opens a video page. The video starts automatically, with the pre-roll first. */
export async function openWithAds(page: Page, address: string): Promise<void> {
  // A loading video delays the page's load event, and the ad break may be over by then.
  await page.goto(address, { waitUntil: "commit" });
  // The controls are hidden during a break.
  await page.waitForSelector(`.player-controls, [data-bare], ${adBreak}`, { state: "attached" });
}

/**
 * Opens a video page with a pre-roll. The video waits for an ad for only three seconds, so a busy
 * machine may miss the break, and the page is opened again.
 */
export async function openWithPreroll(page: Page, address: string): Promise<void> {
  for (let triesLeft = 4; triesLeft >= 0; triesLeft -= 1) {
    await openWithAds(page, address);
    const result = await page.waitForFunction(
      ([breakQuery, contentQuery]) => {
        if (document.querySelector(breakQuery)?.checkVisibility()) return "shown";
        const video = document.querySelector<HTMLVideoElement>(contentQuery);
        return video !== null && !video.paused && video.currentTime > 0.5 ? "missed" : null;
      },
      [adBreak, content] as const,
    );
    if ((await result.jsonValue()) === "shown") return;
  }
  throw new Error("five openings without a pre-roll");
}

interface ContentState {
  isPaused: boolean;
  positionS: number;
}

export const contentState = (page: Page): Promise<ContentState> =>
  page
    .locator(content)
    .first()
    .evaluate((video: HTMLVideoElement) => ({
      isPaused: video.paused,
      positionS: video.currentTime,
    }));

/**
 * Returns a function that tells whether the content is paused within a second of this position, as
 * in an ad break.
 */
export const isHeldNear =
  (positionS: number) =>
  (held: ContentState): boolean =>
    held.isPaused && Math.abs(held.positionS - positionS) <= 1;

export const seek = (page: Page, positionS: number): Promise<void> =>
  page
    .locator(content)
    .first()
    .evaluate((video: HTMLVideoElement, to) => {
      video.currentTime = to;
    }, positionS);

export const isMuted = (page: Page, query: string): Promise<boolean> =>
  page
    .locator(query)
    .first()
    .evaluate((video: HTMLVideoElement) => video.muted);

/** Clicks the button once it is enabled. */
export const skipAd = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Skip Ad" }).click();
