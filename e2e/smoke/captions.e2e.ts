import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop } from "../support/browser.ts";
import { addCaptions, addShortClips, wholeLine } from "../support/player-clips.ts";
import { openSettings } from "../support/player-settings.ts";
import { shareSite } from "../support/shared-site.ts";
import { playVideo } from "../support/video-page.ts";

const hostile =
  "<script>document.title='pwned'</script><i>Hello</i> <img src=x onerror=alert(1)>you";
const site = shareSite(async (app) => {
  for (const { id } of await addShortClips(app, 2)) {
    await addCaptions(app, id, "language=en", wholeLine(hostile));
    await addCaptions(app, id, "language=he", wholeLine("שלום לכולם!"));
  }
});

const lines = (page: Page) => page.locator(".player-captions p").allTextContents();

/** Plays a video until its captions can be switched on. */
async function playWithCaptions(page: Page, slug: string): Promise<void> {
  await playVideo(page, slug);
  await page.getByRole("button", { name: "Captions" }).waitFor({ state: "attached" });
}

/** Returns the distance between the lowest caption line and the controls, in pixels. */
const gapAboveControls = (page: Page) =>
  page.evaluate(() => {
    const box = (query: string) => document.querySelector(query)?.getBoundingClientRect();
    const line = box(".player-captions:not([data-top]) p");
    const bar = box(".player-seek");
    return line === undefined || bar === undefined ? -1 : bar.top - line.bottom;
  });

test("shows lines above the controls in the language of the menu, and remembers the choice", async () => {
  const { page } = await site.open(desktop);
  await playWithCaptions(page, "clip-1");
  await page.keyboard.press("c");
  await expect.poll(() => lines(page)).toEqual(["Hello you"]);
  const elements = page.locator(".player-captions p *");
  await expect
    .poll(() => elements.evaluateAll((all) => all.map((each) => each.tagName)))
    .toEqual(["I"]);

  await openSettings(page, "Captions");
  await expect.poll(() => gapAboveControls(page)).toBeGreaterThan(0);
  const group = page.getByRole("group", { name: "Captions" });
  await group.getByRole("menuitemradio", { name: "עברית" }).click();
  await expect.poll(() => lines(page)).toEqual(["שלום לכולם!"]);
  await playWithCaptions(page, "clip-0");
  await expect.poll(() => lines(page)).toEqual(["שלום לכולם!"]);
  await page.keyboard.press("c");
  await expect.poll(() => lines(page)).toEqual([]);
  await playWithCaptions(page, "clip-1");
  await expect.poll(() => lines(page)).toEqual([]);
  await page.keyboard.press("c");
  await expect.poll(() => lines(page)).toEqual(["שלום לכולם!"]);
});
