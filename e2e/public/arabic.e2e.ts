import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { textsOf } from "#texts/languages.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { openSettings } from "../support/player-settings.ts";
import { desktop, phone, screens } from "../support/browser.ts";
import { activeItem, openFeed, waitForItem } from "../support/feed-screen.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { addClip } from "../support/player-clips.ts";

const texts = textsOf("ar");
import { shareSite } from "../support/shared-site.ts";
import { overflowPx } from "../support/page-width.ts";

const description = "A video about looms.\nفيديو عن الأنوال.";

const site = shareSite(async (app) => {
  const categoryIds = [(await makeCategory(app.db, { name: "أنوال", slug: "looms" })).id];
  const tagIds = [(await makeTag(app.db, { name: "نول", slug: "loom" })).id];
  const labels = { categoryIds, tagIds };
  await addClip(app, "wide-0", { title: "The loom (1920)", slug: "loom", description }, labels);
  await addClip(app, "upright-0", { title: "نول قديم", slug: "old-loom" }, labels);
  await addClip(app, "upright-1", { title: "A wheel", slug: "wheel" }, labels);
});

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (box === null) throw new Error("it is not shown");
  return { ...box, left: box.x, right: box.x + box.width };
};

const positionOf = (page: Page, video: string) =>
  page.locator(video).evaluate((media: HTMLVideoElement) => media.currentTime);

const openSettled = async (page: Page, path: string) => {
  await page.goto(path);
  await page.waitForFunction(() => document.fonts.status === "loaded");
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
};

describe("the pages in Arabic", () => {
  it.each([
    "/ar/home",
    "/ar/video/loom",
    "/ar/feed/loom",
    "/ar/search?search=loom",
    "/ar/trending",
    "/ar/library",
    "/ar/report/loom",
  ])("renders %s from right to left, within the screen", async (path) => {
    const { page } = await site.open({ viewport: screens.phone, reducedMotion: "reduce" });
    const shiftOf = await noteLayoutShifts(page);
    await openSettled(page, path);
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ar");
    await expect.poll(() => page.locator("html").getAttribute("dir")).toBe("rtl");
    expect(await shiftOf()).toBeLessThan(0.02);
    for (const screen of Object.values(screens)) {
      await page.setViewportSize(screen);
      const excess = () =>
        page.evaluate(() => {
          // On right-to-left pages, overflow extends beyond the left edge.
          const beyond = [...document.querySelectorAll("main, header, footer, nav")].map((part) =>
            Math.max(-part.getBoundingClientRect().left, 0),
          );
          return Math.max(...beyond);
        });
      await expect.poll(excess).toBe(0);
      await expect.poll(() => overflowPx(page)).toBe(0);
    }
  });

  it("writes addresses from left to right in forms", async () => {
    const { page } = await site.open(phone);
    await openSettled(page, "/ar/takedown");
    for (const [label, value] of [
      [texts.takedown.addresses, "https://example.com/video/loom/"],
      [texts.takedown.email, "ada@example.com"],
    ] as const) {
      const field = page.getByRole("textbox", { name: label });
      await field.fill(value);
      expect(await field.evaluate((box) => getComputedStyle(box).direction)).toBe("ltr");
    }
  });

  it("keeps the direction of each title, aligned with the other texts", async () => {
    const { page } = await site.open(desktop);
    await openSettled(page, "/ar/video/loom");
    const title = page.getByRole("heading", { level: 1 }).locator("bdi");
    await expect.poll(() => title.evaluate((one) => getComputedStyle(one).direction)).toBe("ltr");
    const heading = await boxOf(page.getByRole("heading", { level: 1 }));
    expect((await boxOf(title)).right).toBeCloseTo(heading.right, 0);
    const side = await boxOf(page.locator(".video-page-aside"));
    expect(side.right).toBeLessThan(heading.left);
    await page.goto("/ar/home");
    const card = page.getByRole("link", { name: /نول قديم/ });
    const name = card.getByText("نول قديم", { exact: true });
    await expect.poll(() => name.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
    const duration = await boxOf(card.getByText("0:06"));
    const whole = await boxOf(card);
    expect(duration.left - whole.left).toBeLessThan(20);
  });

  it("shows the final period of an English ad at the right end of its text", async () => {
    const ad = { type: "video", placement: "preroll", description: "Chairs by the fire." } as const;
    await makeAd(site.app.db, { ...ad, ignores_break_rules: true });
    await site.app.context.changed("everything");
    const { page, close } = await site.open(desktop);
    await page.goto("/ar/video/loom");
    const text = page.locator(".spot-break-text");
    const leftOf = (index: number) =>
      text.evaluate((one, at) => {
        const character = document.createRange();
        character.setStart(one.firstChild ?? one, at);
        character.setEnd(one.firstChild ?? one, at + 1);
        return character.getBoundingClientRect().left;
      }, index);
    expect(await leftOf(ad.description.length - 1)).toBeGreaterThan(await leftOf(0));
    // The page reports events of its ad, so it is closed before the ad is deleted.
    await close();
    await site.app.db.deleteFrom("ads").execute();
    await site.app.context.changed("everything");
  });

  it("leaves space for the “…” of a cut title in the other direction", async () => {
    await using visitor = await site.open(desktop);
    const { page } = visitor;
    await openSettled(page, "/ar/home");
    const title = page.getByRole("link", { name: /A wheel/ }).locator(".title-lines");
    await title.evaluate((one) => {
      one.textContent = "A wheel ".repeat(40);
    });
    const spaceOf = () =>
      title.evaluate((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        const [first] = text.getClientRects();
        const edge = one.parentElement?.getBoundingClientRect().right ?? 0;
        const line = first?.right ?? 0;
        return {
          isAtEdge: Math.abs(edge - line) < 8,
          hasSpace: one.getBoundingClientRect().right - line > 12,
          isClipped: one.scrollHeight > one.clientHeight,
        };
      });
    await expect.poll(spaceOf).toEqual({ isAtEdge: true, hasSpace: true, isClipped: true });
  });
});

describe("by keyboard and pointer in Arabic", () => {
  it("suggests searches, and runs the player's bar from left to right", async () => {
    const { page } = await site.open({ ...desktop, reducedMotion: "reduce" });
    await page.goto("/ar/trending");
    const box = page.getByRole("banner").getByRole("combobox", { name: texts.layout.searchLabel });
    // Suggestions only react to the box once they have loaded.
    await box.focus();
    await page.getByRole("listbox", { includeHidden: true }).waitFor({ state: "attached" });
    await box.pressSequentially("loom");
    const option = page.getByRole("option", { name: /The loom/ });
    await option.waitFor();
    await expect
      .poll(async () => {
        await box.press("ArrowDown");
        return option.getAttribute("aria-selected");
      })
      .toBe("true");
    await box.press("Enter");
    await page.waitForURL("**/ar/video/loom");

    const video = ".player video";
    await page.locator(".player-big-play").waitFor();
    await page.locator(".player-touch").hover({ position: { x: 40, y: 60 } });
    const bar = page.getByRole("slider", { name: texts.player.seek });
    const { left, width, y, height } = await boxOf(bar);
    await page.mouse.click(left + width * 0.9, y + height / 2);
    await expect.poll(() => positionOf(page, video)).toBeGreaterThan(5);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => positionOf(page, video)).toBeLessThan(1);
  });

  it("keeps the settings, the share sheet and the report within reach", async () => {
    const { page } = await site.open({ ...desktop, reducedMotion: "reduce" });
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "share", { value: undefined, configurable: true }),
    );
    await page.goto("/ar/video/loom");
    await page.locator(".player-controls").waitFor({ state: "attached" });
    const menu = await openSettings(page, texts.player.speed, texts.player);
    await menu.getByRole("menuitemradio", { name: "1.5×" }).click();
    await expect.poll(() => menu.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
    const [player, list] = [await boxOf(page.locator(".player")), await boxOf(menu)];
    expect(list.left).toBeGreaterThanOrEqual(player.left);
    expect(list.right).toBeLessThanOrEqual(player.right);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });

    await page.getByRole("button", { name: texts.video.share }).click();
    const sheet = page.getByRole("dialog", { name: texts.share.title });
    // Shared links have no language, so that all visitors read the page in their own language.
    const link = sheet.getByRole("textbox", { name: texts.share.link });
    await expect.poll(() => link.inputValue()).toBe(`${site.url}/video/loom`);
    await expect.poll(() => link.evaluate((one) => getComputedStyle(one).direction)).toBe("ltr");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });

    await page.getByRole("button", { name: texts.video.moreActions }).click();
    await page.getByRole("menuitem", { name: texts.video.report }).click();
    const report = page.getByRole("dialog", { name: texts.report.title });
    await report.getByRole("radio", { name: texts.reasons.other }).check();
    await report.getByLabel(texts.report.text).fill("هذا الفيديو لي");
    await report.getByRole("button", { name: texts.report.send }).click();
    await report.getByText(texts.report.sent).waitFor();
  });

  it("puts the feed's buttons on the left, and runs its progress from left to right", async () => {
    const { page } = await site.open(phone);
    await openFeed(page, `${site.url}/ar/feed/loom`);
    const rail = await boxOf(page.locator(`${activeItem} .feed-rail`));
    const title = await boxOf(page.locator(`${activeItem} .feed-title`));
    expect(rail.right).toBeLessThanOrEqual(title.left);
    const video = `${activeItem} video`;
    await waitForPlaying(page, video);
    await page.keyboard.press(" ");
    await waitForStopped(page, video);
    const bar = page.locator(activeItem).getByRole("slider");
    const { left, width, y, height } = await boxOf(bar);
    await page.touchscreen.tap(left + width * 0.9, y + height / 2);
    await expect.poll(() => positionOf(page, video)).toBeGreaterThan(4.5);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => positionOf(page, video)).toBeLessThan(1);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
  });
});
