import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { leaveSubmenu, openSettings, openSubmenu } from "../support/player-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { languages } from "../support/languages.ts";
import { layoutShiftSoFar, noteLayoutShifts } from "../support/layout-shifts.ts";
import { addClip, addShortClips, clipDurationS } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone, screens } from "../support/browser.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { openVideo, player, playVideo, position, video } from "../support/video-page.ts";

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

test("selects no text on a double click in the player", async () => {
  await using visit = await site.open(desktop);
  const { page } = visit;
  await openVideo(page, "long");
  await page.locator(".player").hover();
  await page.locator(".player-time").dblclick();
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
});

describe("start of a video page", () => {
  test("plays by itself, and unmutes on one press if the browser requires silence", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    // `evaluate` counts as a user gesture, and this visitor has made none.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "userActivation", {
        get: () => ({ hasBeenActive: false, isActive: false }),
      });
    });
    await openVideo(page, "clip-1");
    await waitForPlaying(page, player);
    await expect.poll(() => isMuted(page)).toBe(true);
    await page.getByRole("button", { name: "Tap to unmute" }).click();
    await expect.poll(() => isMuted(page)).toBe(false);
    await waitForPlaying(page, player);
    expect(visit.problems).toEqual([]);
  });

  test("waits for a press under reduced motion", async () => {
    await using visit = await site.open({ ...desktop, reducedMotion: "reduce" });
    const { page } = visit;
    await page.goto(`${site.url}/video/clip-1`);
    await page.locator(".player-big-play").waitFor();
    await waitForStopped(page, player);
    await expect.poll(() => position(page)).toBe(0);
    await page.locator(".player-big-play").click();
    await waitForPlaying(page, player);
  });

  test("plays with the browser's own controls without scripts", async () => {
    await using visit = await site.open({ ...desktop, javaScriptEnabled: false });
    await visit.page.goto(`${site.url}/video/clip-1`);
    const own = visit.page.locator("video[controls]");
    await expect.poll(() => own.locator("source").getAttribute("src")).toMatch(/play\.mp4$/);
    await expect.poll(() => own.isVisible()).toBe(true);
    // No other element is visible or loading.
    const others = await visit.page
      .locator("video:not([controls])")
      .evaluateAll((all) =>
        all.filter((media) => media.checkVisibility() || (media as HTMLVideoElement).currentSrc),
      );
    expect(others).toHaveLength(0);
  });
});

describe("a short video", () => {
  test("pauses and plays on a click, widens in theatre mode, and doesn't load the ladder's library", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    await playVideo(page, "clip-1");
    // Loops the video, so that it doesn't end on a slow machine.
    await video(page).evaluate((media: HTMLVideoElement) => {
      media.loop = true;
    });
    await expect.poll(() => page.locator(".player-big-play").count()).toBe(0);
    await page.locator(".player-touch").click({ position: { x: 200, y: 100 } });
    await page.locator(".player-big-play").waitFor();
    await waitForStopped(page, player);
    await page.locator(".player-big-play").click();
    await waitForPlaying(page, player);

    const before = await widthOf(page);
    await page.keyboard.press("t");
    await expect.poll(() => widthOf(page)).toBeGreaterThan(before + 200);
    await waitForPlaying(page, player);
    await page.getByRole("button", { name: "Leave theatre mode" }).click();
    await expect.poll(() => widthOf(page)).toBeCloseTo(before, 0);
    await waitForPlaying(page, player);

    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .map((entry) => (entry as PerformanceResourceTiming).decodedBodySize),
    );
    expect(Math.max(...bytes)).toBeLessThan(350_000);
    expect(visit.problems).toEqual([]);
  });

  test.each(languages)(
    "copies the link and offers a start, an embed code and a QR code in $language",
    async ({ prefix, texts }) => {
      await using visit = await site.open({
        ...desktop,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const { page } = visit;
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "share", { value: undefined, configurable: true }),
      );
      await playVideo(page, "long", prefix);
      // Before that, this may be the element that is going to be removed.
      await waitForLadder(page);
      await video(page).evaluate((media: HTMLVideoElement) => {
        media.pause();
        media.currentTime = 40.6;
      });
      await expect.poll(() => position(page)).toBeCloseTo(40.6, 1);
      await page.getByRole("button", { name: texts.video.share }).click();
      await page.getByText(texts.share.linkCopied).waitFor();
      const sheet = page.getByRole("dialog", { name: texts.share.title });
      const link = sheet.getByRole("textbox", { name: texts.share.link });
      // The site has no configured URL, so the link uses the URL of this visit.
      await expect.poll(() => link.inputValue()).toBe(`${site.url}/video/long`);
      await sheet.getByRole("checkbox", { name: texts.share.startAt("0:40") }).check();
      await expect.poll(() => link.inputValue()).toBe(`${site.url}/video/long?t=40`);
      await expect
        .poll(() => sheet.getByRole("textbox", { name: texts.share.embed }).inputValue())
        .toContain(`<iframe src="${site.url}/embed/long?t=40"`);
      await sheet.getByRole("img", { name: texts.share.qr }).waitFor();
      await sheet.getByRole("button", { name: texts.share.copyOf(texts.share.link) }).click();
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`${site.url}/video/long?t=40`);
      await expectAccessible(page, "[role=dialog]");
      expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
      await using other = await site.open(desktop);
      await openVideo(other.page, "long?t=40");
      await expect.poll(() => position(other.page)).toBeGreaterThanOrEqual(40);
      expect(visit.problems).toEqual([]);
    },
  );

  test("shows Watch again at its end", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    await playVideo(page, "clip-2");
    await video(page).evaluate((media: HTMLVideoElement) => {
      media.currentTime = media.duration - 0.5;
    });
    await page.locator(".player-big-play[aria-label='Watch again']").waitFor();
    await waitForStopped(page, player);
    await expect.poll(() => position(page)).toBeCloseTo(clipDurationS, 0);
  });
});

describe.each(languages)("visitor settings in $language", ({ prefix, texts }) => {
  const own = texts.player;
  test("counts down to the next video, and lets visitors cancel it or switch it off for good", async () => {
    await using visit = await site.open({ ...desktop, playsNext: true });
    const { page } = visit;
    // The countdown stops on a hidden page, which gives the test enough time.
    await page.addInitScript(() => {
      Object.defineProperty(document, "visibilityState", {
        get: () => (document.documentElement.hasAttribute("data-counts") ? "visible" : "hidden"),
      });
    });
    const upNext = page.getByRole("region", { name: own.upNext });
    const again = page.locator(`.player-big-play[aria-label='${own.replay}']`);
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
      await openSettings(page, undefined, own);
      await page.getByRole("menuitemcheckbox", { name: own.autoNext }).click();
      await page.keyboard.press("Escape");
    };
    await playVideo(page, "long", prefix);
    await toggleSwitch();
    await goToEnd(again);
    await expect.poll(() => upNext.count()).toBe(0);
    await again.click();
    await waitForPlaying(page, player);
    await toggleSwitch();
    await goToEnd(upNext);
    await expectAccessible(page, ".player-next");
    await upNext.getByRole("button", { name: own.cancel }).click();
    await upNext.waitFor({ state: "detached" });
    await again.click();
    await waitForPlaying(page, player);

    await goToEnd(upNext);
    const href = await upNext.getByRole("link", { name: own.playNow }).getAttribute("href");
    await page.keyboard.press("f");
    await page.evaluate(() => document.documentElement.setAttribute("data-counts", ""));
    await page.waitForURL(`**${href}`);
    await page.getByRole("button", { name: own.leaveFullscreen }).waitFor({ state: "attached" });
    await waitForPlaying(page, player);
    expect(visit.problems).toEqual([]);
  });

  test("remembers theatre mode, speed, zoom and data saver without layout shifts", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    await playVideo(page, "long", prefix);
    const normal = await widthOf(page);
    await page.keyboard.press("t");
    await expect.poll(() => widthOf(page)).toBeGreaterThan(normal + 200);
    const menu = await openSettings(page, own.speed, own);
    await page.getByRole("menuitemradio", { name: "1.5×" }).click();
    await leaveSubmenu(menu);
    await expect.poll(() => menu.locator("[data-group=speed]").innerText()).toContain("1.5×");
    const switchLook = () =>
      page
        .getByRole("menuitemcheckbox", { name: own.dataSaver })
        .locator(".player-switch")
        .evaluate((one) => getComputedStyle(one).backgroundImage);
    const offLook = await switchLook();
    await page.getByRole("menuitemcheckbox", { name: own.dataSaver }).click();
    await expect.poll(switchLook).not.toBe(offLook);
    // Most of the picture stays visible.
    const widthOfMenu = async () => (await menu.boundingBox())?.width ?? 0;
    expect(await widthOfMenu()).toBeLessThanOrEqual(17 * 16);
    const fill = page.getByRole("menuitemcheckbox", { name: own.fill });
    await fill.click();
    await expect.poll(() => fill.getAttribute("aria-checked")).toBe("true");
    await expectAccessible(page, ".player-menu");

    const shifts = await noteLayoutShifts(page);
    await playVideo(page, "long", prefix);
    await expect.poll(() => widthOf(page)).toBeGreaterThan(normal + 200);
    const fit = () => video(page).evaluate((media) => getComputedStyle(media).objectFit);
    await expect.poll(fit).toBe("cover");
    const rate = () => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate);
    await expect.poll(rate).toBe(1.5);
    await openSettings(page, undefined, own);
    const saver = page.getByRole("menuitemcheckbox", { name: own.dataSaver });
    await expect.poll(() => saver.getAttribute("aria-checked")).toBe("true");
    await expect.poll(shifts).toBeLessThan(0.02);
  });
});

test.each(languages)(
  "offers another screen in the settings if the browser has one, in $language",
  async ({ prefix, texts }) => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    // Simulates devices that a test doesn't have.
    await page.addInitScript(() => {
      const remote = {
        watchAvailability: (tell: (isAvailable: boolean) => void) => {
          tell(true);
          return Promise.resolve(1);
        },
        cancelWatchAvailability: () => Promise.resolve(),
        prompt: () => {
          document.body.setAttribute("data-asked", "");
          return Promise.resolve();
        },
      };
      Object.defineProperty(HTMLMediaElement.prototype, "remote", { get: () => remote });
    });
    await playVideo(page, "long", prefix);
    await openSettings(page, undefined, texts.player);
    const cast = page.getByRole("menuitem", { name: texts.player.cast });
    await cast.waitFor();
    await expectAccessible(page, ".player-menu");
    await cast.click();
    await expect.poll(() => page.locator("body[data-asked]").count()).toBe(1);
  },
);

describe("a long video", () => {
  test("responds to keys unless the visitor types in a field", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    await playVideo(page, "long");
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
  });

  test.each(languages)(
    "seeks with the storyboard, and resumes on the next visit or starts over, in $language",
    async ({ prefix, texts }) => {
      await using visit = await site.open(desktop);
      const { page } = visit;
      await playVideo(page, "long", prefix);
      const bar = page.getByRole("slider", { name: texts.player.seek });
      const box = await bar.boundingBox();
      if (box === null) throw new Error("no seek bar");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.locator(".player-seek-tile").waitFor();
      await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
      await expect.poll(() => position(page)).toBeGreaterThan(43);
      await waitForPlaying(page, player);
      await openVideo(page, "long", prefix);
      await expect.poll(() => position(page)).toBeGreaterThan(43);
      await page.getByRole("button", { name: texts.player.startOver }).click();
      await expect.poll(() => position(page)).toBeLessThan(5);
    },
  );

  test("switches to the ladder, offers qualities, and starts another video from its beginning", async () => {
    await using visit = await site.open(desktop);
    const { page } = visit;
    await playVideo(page, "long");
    await waitForLadder(page);
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
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeGreaterThan(37);
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
    expect(visit.problems).toEqual([]);
  });

  test("fits all choices of the settings on a tablet with rows as high as a phone's", async () => {
    await using visit = await site.open({ ...phone, viewport: screens.tablet });
    const { page } = visit;
    await playVideo(page, "long");
    const settings = page.getByRole("button", { name: "Settings" });
    if (!(await settings.isVisible())) await page.locator(".player-touch").tap();
    await settings.tap();
    const menu = page.getByRole("menu", { name: "Settings" });
    await expect.poll(() => coveredChoices(menu)).toEqual([]);
    await openSubmenu(menu, "Speed");
    await menu.getByRole("menuitemradio", { name: "2×", exact: true }).waitFor();
    await expect.poll(() => coveredChoices(menu)).toEqual([]);
    expect(visit.problems).toEqual([]);
  });

  test("fits all its buttons on a phone with text at 200%", async () => {
    await using visit = await site.open(phone);
    const { page } = visit;
    await playVideo(page, "long");
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    const buttons = page.locator(".player-bar button");
    const ends = await buttons.evaluateAll((all) =>
      all.map((e) => e.getBoundingClientRect().right),
    );
    expect(ends.length).toBeGreaterThan(3);
    expect(Math.max(...ends)).toBeLessThanOrEqual(screens.phone.width);
  });

  test.each(languages)(
    "seeks 10 s on a double tap, and fits the settings sheet on a phone, in $language",
    async ({ prefix, texts }) => {
      await using visit = await site.open(phone);
      const { page } = visit;
      await playVideo(page, "long", prefix);
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
      const settings = page.getByRole("button", { name: texts.player.settings });
      if (!(await settings.isVisible())) await page.locator(".player-touch").tap();
      await settings.tap();
      const menu = page.getByRole("menu", { name: texts.player.settings });
      await menu.waitFor();
      await expect.poll(() => coveredChoices(menu)).toEqual([]);
      await openSubmenu(menu, texts.player.speed);
      await expect.poll(() => coveredChoices(menu)).toEqual([]);
      await menu.getByRole("menuitemradio", { name: "1.5×" }).tap();
      await expect
        .poll(() => video(page).evaluate((media: HTMLVideoElement) => media.playbackRate))
        .toBe(1.5);
      const like = page.getByRole("button", { name: texts.video.like }).first();
      const behind = await like.boundingBox();
      await page.touchscreen.tap((behind?.x ?? 0) + 20, (behind?.y ?? 0) + 20);
      await menu.waitFor({ state: "detached" });
      await expect.poll(() => like.getAttribute("aria-pressed")).toBe("false");
      await waitForPlaying(page, player);
      expect(visit.problems).toEqual([]);
    },
  );
});
