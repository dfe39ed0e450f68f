import { describe, expect, test } from "vitest";
import { desktop } from "../support/browser.ts";
import { arabic } from "../support/languages.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { gapAtEnd } from "../support/page-end.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { addClip } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { player, playVideo, position, video } from "../support/video-page.ts";

const site = shareSite((app) => addClip(app, "long", { title: "A long one", slug: "long" }));

describe("the mini player in Arabic", () => {
  const { prefix, texts } = arabic;
  test("keeps playing while the visitor browses, until they return or close it", async () => {
    const { page } = await site.open(desktop);
    const mini = page.getByRole("region", { name: texts.player.mini });
    const playing = ".mini-player video";
    const at = () => position(page, playing);
    const leave = async () => {
      await playVideo(page, "long", prefix);
      await video(page).evaluate((media: HTMLVideoElement) => {
        media.currentTime = 20;
      });
      await page.getByRole("link", { name: texts.layout.trending }).first().click();
      await page.waitForURL(`**${prefix}/trending`);
    };
    const shifts = await noteLayoutShifts(page);
    await leave();
    await mini.getByRole("button", { name: texts.player.pause }).waitFor();
    await waitForPlaying(page, playing);
    await expect.poll(at).toBeGreaterThanOrEqual(20);
    await expect.poll(shifts).toBeLessThan(0.02);
    await expect.poll(() => gapAtEnd(page, ".mini-player")).toBeGreaterThan(0);
    await mini.getByRole("button", { name: texts.player.pause }).click();
    await waitForStopped(page, playing);
    await mini.getByRole("button", { name: texts.player.play }).click();
    await mini.getByRole("link", { name: texts.player.backToVideo }).click();
    await page.waitForURL(`**${prefix}/video/long?t=*`);
    await waitForPlaying(page, player);
    await expect.poll(() => mini.count()).toBe(0);
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(20);

    await leave();
    await waitForPlaying(page, playing);
    // The switch replaces the element.
    const source = () => video(page, playing).evaluate((media) => media.currentSrc);
    await expect.poll(source).toMatch(/^blob:/);
    await video(page, playing).evaluate((media) => {
      media.currentTime = 40;
    });
    await expect.poll(at).toBeGreaterThan(40);
    await page.goBack();
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(40);

    await leave();
    await mini.getByRole("button", { name: texts.player.close }).click();
    await expect.poll(() => page.locator("video").count()).toBe(0);
  });
});

test("offers full screen with the controls, and picture in picture that other pages don't stop", async () => {
  const { page } = await site.open(desktop);
  await playVideo(page, "long");
  const isFull = () =>
    page.evaluate(() => document.fullscreenElement?.classList.contains("player") ?? false);
  await page.keyboard.press("f");
  await expect.poll(isFull).toBe(true);
  await page.mouse.move(400, 400);
  await page.getByRole("button", { name: "Leave full screen" }).click();
  await expect.poll(isFull).toBe(false);

  const button = page.getByRole("button", { name: "Picture in picture" });
  const isInPicture = () =>
    video(page).evaluate((media) => document.pictureInPictureElement === media);
  await page.keyboard.press("i");
  await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => isInPicture()).toBe(true);
  await waitForPlaying(page, player);
  await page.keyboard.press("k");
  await waitForStopped(page, player);
  await page.keyboard.press("k");
  await waitForPlaying(page, player);
  await page.locator(".player-touch").hover();
  await button.click();
  await expect.poll(() => button.getAttribute("aria-pressed")).toBe("false");
  await expect.poll(() => isInPicture()).toBe(false);
  await waitForPlaying(page, player);

  await page.keyboard.press("i");
  await expect.poll(() => isInPicture()).toBe(true);
  await page.getByRole("link", { name: "Trending" }).first().click();
  await page.waitForURL("**/trending");
  await waitForPlaying(page, ".mini-player video");
});
