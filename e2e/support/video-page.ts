import type { Page } from "playwright-core";
import { waitForPlaying } from "./playback.ts";

/** Selectors and visitor actions for the player of a video page. */
export const player = ".player video";

/**
 * Returns what runs code on the video in one step. A locator finds the element first, and the switch
 * to the ladder may replace it before the code runs.
 */
export const video = (page: Page, query = player) => ({
  async evaluate<Result, Argument>(
    run: (media: HTMLVideoElement, argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Result> {
    await page.locator(query).first().waitFor({ state: "attached" });
    // Both values become source text, because one call can't take a function as an argument.
    const media = `document.querySelector(${JSON.stringify(query)})`;
    return page.evaluate<Result>(`(${run.toString()})(${media}, ${JSON.stringify(argument)})`);
  },
});

export const position = (page: Page, query = player) =>
  video(page, query).evaluate((media: HTMLVideoElement) => media.currentTime);

const isPaused = (page: Page) => video(page).evaluate((media: HTMLVideoElement) => media.paused);

export async function openVideo(page: Page, slug: string, prefix = ""): Promise<void> {
  await page.goto(`${prefix}/video/${slug}`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
}

export async function playVideo(page: Page, slug: string, prefix = ""): Promise<void> {
  await openVideo(page, slug, prefix);
  if (await isPaused(page)) await page.locator(".player-big-play").click();
  await waitForPlaying(page, player);
}
