import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { textsOf } from "#texts/languages.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { leaveSubmenu, openSettings, openSubmenu } from "../support/player-settings.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addClip, addShortClips, clipDurationS } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone, screens } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { openVideo, player, playVideo, position, video } from "../support/video-page.ts";

const playerMessages = inLanguage("player");
const nextMessages = inLanguage("upNext");

const arabic = textsOf("ar");

const site = shareSite(async (app) => {
  await addShortClips(app, 3);
  await addClip(app, "long", { title: "A long one", slug: "long" });
});

const isMuted = (page: Page) => video(page).evaluate((media: HTMLVideoElement) => media.muted);
const widthOf = async (page: Page) => (await page.locator(".player").boundingBox())?.width ?? 0;

/** Waits until a long video plays from its adaptive renditions. */
async function waitForLadder(page: Page): Promise<void> {
  await expect
    .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.currentSrc))
    .toMatch(/^blob:/);
  await waitForPlaying(page, player);
}

/** Returns the choices of a menu that are covered or outside the screen. */
const coveredChoices = (menu: Locator) =>
  menu.locator("[role^=menuitem]").evaluateAll((items) =>
    items
      .filter((item) => {
        const { left, top, width, height } = item.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return hit === null || !item.contains(hit);
      })
      .map((item) => item.textContent),
  );

test("plays with the browser's own controls without scripts", async () => {
  const { page } = await site.open({ ...desktop, javaScriptEnabled: false });
  await page.goto(`${site.url}/video/clip-1`);
  const own = page.locator("video[controls]");
  await expect.poll(() => own.locator("source").getAttribute("src")).toMatch(/play\.mp4$/);
  await expect.poll(() => own.isVisible()).toBe(true);
  // No other element is visible or loading.
  const others = await page
    .locator("video:not([controls])")
    .evaluateAll((all) =>
      all.filter((media) => media.checkVisibility() || (media as HTMLVideoElement).currentSrc),
    );
  expect(others).toHaveLength(0);
});

test("plays by itself, unmutes on one press, widens in theater mode and shows Watch again at its end", async () => {
  const { page } = await site.open(desktop);
  // `evaluate` counts as a user gesture, and this visitor has made none.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "userActivation", {
      get: () => ({ hasBeenActive: false, isActive: false }),
    });
  });
  await openVideo(page, "clip-1");
  // Loops the video, so that it doesn't end on a slow machine.
  const loop = (isOn: boolean) =>
    video(page).evaluate((media: HTMLVideoElement, value) => {
      media.loop = value;
    }, isOn);
  await loop(true);
  await waitForPlaying(page, player);
  await expect.poll(() => isMuted(page)).toBe(true);
  await page.getByRole("button", { name: "Tap to unmute" }).click();
  await expect.poll(() => isMuted(page)).toBe(false);
  await waitForPlaying(page, player);

  const bigPlay = page.locator(".player-big-play");
  await expect.poll(() => bigPlay.count()).toBe(0);
  await page.locator(".player-touch").click({ position: { x: 200, y: 100 } });
  await bigPlay.waitFor();
  await waitForStopped(page, player);
  await bigPlay.click();
  await waitForPlaying(page, player);

  const before = await widthOf(page);
  await page.keyboard.press("t");
  await expect.poll(() => widthOf(page)).toBeGreaterThan(before + 200);
  await waitForPlaying(page, player);
  await page.getByRole("button", { name: "Theater mode" }).click();
  await expect.poll(() => widthOf(page)).toBeCloseTo(before, 0);
  await waitForPlaying(page, player);

  // The library for the ladder isn't loaded.
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .map((entry) => (entry as PerformanceResourceTiming).decodedBodySize),
  );
  expect(Math.max(...bytes)).toBeLessThan(400_000);

  await loop(false);
  await video(page).evaluate((media: HTMLVideoElement) => {
    media.currentTime = media.duration - 0.5;
  });
  await page.locator(".player-big-play[aria-label='Watch again']").waitFor();
  await waitForStopped(page, player);
  await expect.poll(() => position(page)).toBeCloseTo(clipDurationS, 0);
});

test("has controls on a solid bar, and marks what is on, in a contrast theme", async () => {
  await using visit = await site.open({ ...desktop, forcedColors: "active" });
  const { page } = visit;
  await openVideo(page, "clip-1");
  const color = () =>
    page
      .locator(".player-bar")
      .first()
      .evaluate((bar) => getComputedStyle(bar).backgroundColor);
  // Transparent colors are written as rgba().
  await expect.poll(color).toMatch(/^rgb\(/);

  await openSettings(page);
  const saver = page.getByRole("menuitemcheckbox", { name: playerMessages.dataSaver });
  const look = () => saver.evaluate((item) => getComputedStyle(item).backgroundColor);
  const offLook = await look();
  await saver.click();
  await expect.poll(look).not.toBe(offLook);
});

test("shows hidden controls on a tap, which presses none, and when Tab reaches them", async () => {
  const { page } = await site.open({ ...desktop, hasTouch: true });
  await playVideo(page, "long");
  const controls = page.locator(".player-controls");
  const opacity = () => controls.evaluate((element) => getComputedStyle(element).opacity);
  const idle = page.locator(".player[data-idle]");
  await idle.waitFor();
  await expect.poll(opacity).toBe("0");
  const box = await page.getByRole("button", { name: "Pause" }).boundingBox();
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await expect.poll(opacity).toBe("1");
  await waitForPlaying(page, player);

  await idle.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return page.locator(".player-controls:focus-within").count();
    })
    .toBe(1);
  await expect.poll(opacity).toBe("1");
  await waitForPlaying(page, player);

  // Space pauses, and doesn't press the button that was clicked before.
  await page.locator(".player-touch").hover({ position: { x: 40, y: 60 } });
  await page.getByRole("button", { name: "Theater mode" }).click();
  await idle.waitFor();
  await page.keyboard.press("Space");
  await waitForStopped(page, player);
});

test("responds to keys, offers the ladder's qualities, and starts another video from its beginning", async () => {
  const { page } = await site.open(desktop);
  await playVideo(page, "long");
  await waitForLadder(page);
  const told = await page.evaluate(() => navigator.mediaSession.metadata?.title);
  expect(told).toBe("A long one");
  const wasMuted = await isMuted(page);
  const field = page.getByRole("combobox", { name: "Search videos" });
  await field.focus();
  await page.keyboard.type("mk 5?");
  await expect.poll(() => field.inputValue()).toBe("mk 5?");
  await expect.poll(() => isMuted(page)).toBe(wasMuted);
  await waitForPlaying(page, player);
  await expect.poll(() => position(page)).toBeLessThan(30);
  await field.blur();

  await page.keyboard.press("k");
  await waitForStopped(page, player);
  await page.keyboard.press("5");
  await expect.poll(() => position(page)).toBeCloseTo(37.5, 0);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => position(page)).toBeCloseTo(32.5, 0);
  await page.keyboard.press("m");
  await expect.poll(() => isMuted(page)).toBe(!wasMuted);
  await page.keyboard.press("Space");
  await waitForPlaying(page, player);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.locator(".player").hover();
  await page.locator(".player-time").dblclick();
  expect(await page.evaluate(() => String(getSelection()))).toBe("");

  await expect.poll(() => page.locator("video").count()).toBe(1);
  await openSettings(page, "Quality");
  const choices = page.getByRole("group", { name: "Quality" }).getByRole("menuitemradio");
  await choices.first().waitFor();
  const names = await choices.allTextContents();
  expect(names.map((name) => name.replace(/^Auto.*/, "Auto"))).toEqual(["Auto", "360p", "180p"]);
  await page.getByRole("menuitemradio", { name: "180p", exact: true }).click();
  await expect
    .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.videoHeight))
    .toBe(180);
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await waitForStopped(page, player);

  await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
  await page.locator("main a[href='/video/clip-1']").first().click();
  await page.waitForURL("**/video/clip-1");
  await page.getByRole("heading", { level: 1, name: "Clip 1" }).waitFor();
  await waitForPlaying(page, player);
  await expect.poll(() => position(page)).toBeLessThan(clipDurationS);
  await expect
    .poll(() => page.locator(".player-big-play, .player-fault, .player-note").count())
    .toBe(0);
  const bar = page.getByRole("slider", { name: "Seek" });
  await expect.poll(() => bar.getAttribute("aria-valuetext")).toContain("of 6 seconds");
  const menu = await openSettings(page);
  await menu.locator("[data-group=speed]").waitFor();
  expect(await menu.locator("[data-group=quality]").count()).toBe(0);
  await expect.poll(() => page.locator("video").count()).toBe(1);
  await expect.poll(() => page.locator("body[data-same-page]").count()).toBe(1);
});

test("shares a start time, then counts down to the next video unless it is canceled or off", async () => {
  const { page } = await site.open({
    ...desktop,
    playsNext: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
    // The countdown stops on a hidden page, which gives the test enough time.
    Object.defineProperty(document, "visibilityState", {
      get: () => (document.documentElement.hasAttribute("data-hidden") ? "hidden" : "visible"),
    });
  });
  await playVideo(page, "long");
  // Before that, this may be the element that is going to be removed.
  await waitForLadder(page);
  await video(page).evaluate((media: HTMLVideoElement) => {
    media.pause();
    media.currentTime = 40.6;
  });
  await expect.poll(() => position(page)).toBeCloseTo(40.6, 1);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("Video link copied to clipboard!").waitFor();
  const sheet = page.getByRole("dialog", { name: "Share" });
  const link = sheet.getByRole("textbox", { name: "Link", exact: true });
  // The site has no configured URL, so the link uses the URL of this visit.
  await expect.poll(() => link.inputValue()).toBe(`${site.url}/video/long`);
  await sheet.getByRole("checkbox", { name: "Start at 0:40" }).check();
  await sheet.getByRole("button", { name: "Copy: Link" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${site.url}/video/long?t=40`);
  await page.keyboard.press("Escape");
  await openVideo(page, "long?t=40");
  await page.evaluate(() => document.documentElement.setAttribute("data-hidden", ""));
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(40);

  const upNext = page.getByRole("region", { name: nextMessages.title });
  const again = page.locator(`.player-big-play[aria-label='${playerMessages.replay}']`);
  const goToEnd = async (shown: Locator) => {
    await expect
      .poll(async () => {
        await video(page).evaluate((media: HTMLVideoElement) => {
          if (media.duration - media.currentTime > 1) media.currentTime = media.duration - 0.3;
        });
        return shown.isVisible();
      })
      .toBe(true);
  };
  const toggleSwitch = async () => {
    await openSettings(page);
    await page.getByRole("menuitemcheckbox", { name: playerMessages.autoNext }).click();
    await page.keyboard.press("Escape");
  };
  await waitForPlaying(page, player);
  await toggleSwitch();
  await goToEnd(again);
  await expect.poll(() => upNext.count()).toBe(0);
  await again.click();
  await waitForPlaying(page, player);
  await toggleSwitch();
  await goToEnd(upNext);
  await upNext.getByRole("button", { name: nextMessages.cancel }).click();
  await upNext.waitFor({ state: "detached" });
  await again.click();
  await waitForPlaying(page, player);

  await goToEnd(upNext);
  const href = await upNext.getByRole("link", { name: nextMessages.play }).getAttribute("href");
  await page.keyboard.press("f");
  await page.evaluate(() => document.documentElement.removeAttribute("data-hidden"));
  await page.waitForURL(`**${href}`);
  await page
    .getByRole("button", { name: playerMessages.leaveFullscreen })
    .waitFor({ state: "attached" });
  await waitForPlaying(page, player);
});

test("seeks with the storyboard, and remembers the position and the settings, in Arabic", async () => {
  const { page } = await site.open(desktop);
  const own = arabic.player;
  await playVideo(page, "long", "/ar");
  const normal = await widthOf(page);
  await page.keyboard.press("t");
  await expect.poll(() => widthOf(page)).toBeGreaterThan(normal + 200);
  const menu = await openSettings(page, own.speed, own);
  await page.getByRole("menuitemradio", { name: "1.5×" }).click();
  await leaveSubmenu(menu);
  await expect.poll(() => menu.locator("[data-group=speed]").innerText()).toContain("1.5×");
  const saver = page.getByRole("menuitemcheckbox", { name: own.dataSaver });
  const switchLook = () =>
    saver.locator(".player-switch").evaluate((one) => getComputedStyle(one).backgroundImage);
  const offLook = await switchLook();
  await saver.click();
  await expect.poll(switchLook).not.toBe(offLook);
  // Most of the picture stays visible.
  expect((await menu.boundingBox())?.width).toBeLessThanOrEqual(17 * 16);
  const fill = page.getByRole("menuitemcheckbox", { name: own.fill });
  await fill.click();
  await expect.poll(() => fill.getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Escape");

  const bar = page.getByRole("slider", { name: own.seek });
  const box = await bar.boundingBox();
  if (box === null) throw new Error("no seek bar");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator(".player-seek-tile").waitFor();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await expect.poll(() => position(page)).toBeGreaterThan(43);
  await waitForPlaying(page, player);

  const shifts = await noteLayoutShifts(page);
  await openVideo(page, "long", "/ar");
  await expect.poll(() => position(page)).toBeGreaterThan(43);
  await page.getByRole("button", { name: own.startOver }).click();
  await expect.poll(() => position(page)).toBeLessThan(5);
  await waitForPlaying(page, player);
  await expect.poll(() => widthOf(page)).toBeGreaterThan(normal + 200);
  const fit = () => video(page).evaluate((media) => getComputedStyle(media).objectFit);
  await expect.poll(fit).toBe("cover");
  const rate = () => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate);
  await expect.poll(rate).toBe(1.5);
  await openSettings(page, undefined, own);
  await expect.poll(() => saver.getAttribute("aria-checked")).toBe("true");
  await expect.poll(shifts).toBeLessThan(0.02);
});

test("seeks 10 s on a double tap, and fits its settings and buttons on a phone in Arabic", async () => {
  const { page } = await site.open(phone);
  const own = arabic.player;
  await playVideo(page, "long", "/ar");
  const box = await page.locator(".player").boundingBox();
  if (box === null) throw new Error("no player");
  const before = await position(page);
  const right = { x: box.x + box.width * 0.9, y: box.y + box.height * 0.4 };
  // On a busy machine, two taps may be too far apart for a double tap.
  await expect
    .poll(async () => {
      await page.touchscreen.tap(right.x, right.y);
      await page.touchscreen.tap(right.x, right.y);
      return position(page);
    })
    .toBeGreaterThan(before + 9);
  await waitForPlaying(page, player);
  const settings = page.getByRole("button", { name: own.settings });
  const openSheet = async () => {
    if (await page.locator(".player[data-idle]").isVisible())
      await page.locator(".player-touch").tap();
    await settings.tap();
  };
  await openSheet();
  const menu = page.getByRole("menu", { name: own.settings });
  await menu.waitFor();
  await expect.poll(() => coveredChoices(menu)).toEqual([]);
  await openSubmenu(menu, own.speed);
  await expect.poll(() => coveredChoices(menu)).toEqual([]);
  await menu.getByRole("menuitemradio", { name: "1.5×" }).tap();
  await expect
    .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate))
    .toBe(1.5);
  const like = page.getByRole("button", { name: arabic.video.like }).first();
  const behind = await like.boundingBox();
  await page.touchscreen.tap((behind?.x ?? 0) + 20, (behind?.y ?? 0) + 20);
  await menu.waitFor({ state: "detached" });
  await expect.poll(() => like.getAttribute("aria-pressed")).toBe("false");
  await waitForPlaying(page, player);

  const resize = (size: { width: number; height: number }, text: string) =>
    page
      .setViewportSize(size)
      .then(() =>
        page.evaluate((to) => document.documentElement.style.setProperty("font-size", to), text),
      );
  await resize(screens.phone, "200%");
  const buttons = page.locator(".player-bar button");
  const edges = await buttons.evaluateAll((all) =>
    all
      .map((element) => element.getBoundingClientRect())
      .flatMap(({ left, right: end }) => [left, end]),
  );
  expect(edges.length).toBeGreaterThan(6);
  expect(Math.min(...edges)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...edges)).toBeLessThanOrEqual(screens.phone.width);

  await resize(screens.tablet, "100%");
  await openSheet();
  await expect.poll(() => coveredChoices(menu)).toEqual([]);
  await openSubmenu(menu, own.speed);
  await menu.getByRole("menuitemradio", { name: "2×", exact: true }).waitFor();
  await expect.poll(() => coveredChoices(menu)).toEqual([]);
});
