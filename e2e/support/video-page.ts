import type { Page } from "playwright-core";
import { waitForPlaying } from "./playback.ts";

/** Selectors and visitor actions for the player of a video page. */
export const player = ".player video";

/** There are two elements during the switch to the ladder. The first one is audible. */
export const video = (page: Page, query = player) => page.locator(query).first();

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
