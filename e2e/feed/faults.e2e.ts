import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { textsOf } from "#texts/languages.ts";
import {
  activeItem,
  activeVideo,
  openFeed,
  shownItem,
  waitForItem,
  waitForLiveFeed,
} from "../support/feed-screen.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone, provoked } from "../support/browser.ts";
import { waitForPlaying } from "../support/playback.ts";

/** Texts of the pages below `/ar`. */
const texts = textsOf("ar");

/** URL paths of the clips' files, by slug. */
const files = new Map<string, string>();
const site = shareSite(async (app) => {
  for (const row of await addShortClips(app, 8)) {
    files.set(row.slug, `/media/${row.progressive_key}`);
  }
});

const fileOf = (slug: string | null) => files.get(slug ?? "") ?? "nothing";

/** Handles requests for one file until the returned function is called. */
async function breakFile(page: Page, path: string, respond: (route: Route) => Promise<void>) {
  let isBroken = true;
  await page.route(`**${path}`, (route) => (isBroken ? respond(route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

/** Moves from the broken clip to a working one and checks that it plays. */
async function leaveByNextMove(page: Page): Promise<void> {
  const { number } = await shownItem(page);
  await page.keyboard.press("ArrowDown");
  await waitForItem(page, number + 1);
  await waitForPlaying(page, activeVideo);
}

describe("faults in the feed", () => {
  test("shows a fault for a damaged file, lets visitors leave it, and plays once it is repaired", async () => {
    await using visit = await site.open({ ...desktop, expectProblems: provoked });
    const { page } = visit;
    const noise = Buffer.alloc(60_000, 0x5a);
    const repair = await breakFile(page, fileOf("clip-3"), (route) =>
      route.fulfill({ status: 200, contentType: "video/mp4", body: noise }),
    );
    await page.goto(`${site.url}/feed/clip-3`);
    const fault = page.locator(`${activeItem} .player-fault`);
    await fault.waitFor();
    await expect.poll(() => fault.textContent()).toMatch(/can't be played|is damaged/);
    await leaveByNextMove(page);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 1);
    repair();
    const retry = fault.getByRole("button", { name: "Try Again" });
    // Playback may resume automatically before the button is pressed.
    await expect
      .poll(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => {});
        return fault.count();
      })
      .toBe(0);
    await waitForPlaying(page, activeVideo);
  });

  test("shows a fault for an unloaded clip while offline, and plays once online", async () => {
    await using visit = await site.open({ ...desktop, expectProblems: provoked });
    const { page } = visit;
    await openFeed(page, `${site.url}/feed/clip-4`);
    await waitForPlaying(page, activeVideo);
    await page.context().setOffline(true);
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    const fault = page.locator(`${activeItem} .player-fault`);
    await fault.waitFor();
    await expect.poll(() => fault.textContent()).toContain("You're offline");
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await page.context().setOffline(false);
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => fault.count()).toBe(0);
  });

  test("reports an offline visit in Arabic, and continues once online", async () => {
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await openFeed(page, `${site.url}/ar`);
    await page.getByRole("link", { name: texts.layout.home, exact: true }).first().click();
    await page.waitForURL("**/ar/home");
    await page.locator("main li a").first().waitFor();
    await page.context().setOffline(true);
    await page.locator("a[href='/ar'], a[href='/ar/feed']").first().click();
    await page.getByText(texts.feed.offlineShort).waitFor();
    await expect.poll(() => page.getByText(texts.feed.failed).count()).toBe(1);
    await page.context().setOffline(false);
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => page.getByText(texts.feed.offlineShort).count()).toBe(0);
  });

  test("leaves captions and buttons uncovered by the note that the feed can't continue, in Arabic", async () => {
    const { page } = await site.open({ ...phone, expectProblems: provoked });
    await page.route(/\/api\/feed(\?|$)/, (route) =>
      route.fulfill({ status: 503, json: { message: "no" } }),
    );
    await page.goto(`${site.url}/ar`);
    await waitForLiveFeed(page);
    const bar = page.locator(".feed-state-bar");
    await expect
      .poll(async () => {
        await page.keyboard.press("ArrowDown");
        return bar.isVisible();
      })
      .toBe(true);
    await bar.getByText(texts.feed.failed).waitFor();
    const covered = () =>
      bar.evaluate((one) => {
        const own = one.getBoundingClientRect();
        return [
          ...document.querySelectorAll(
            ".feed-item[data-active] :is(.feed-info > *, .feed-rail-button)",
          ),
        ]
          .map((part) => part.getBoundingClientRect())
          .filter(({ width, top, bottom }) => width > 0 && top < own.bottom && bottom > own.top)
          .length;
      });
    await expect.poll(covered).toBe(0);
  });

  test("reports an offline visit of a page without its script, and continues once online", async () => {
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await page.goto(`${site.url}/home`);
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Trending" }).first().click();
    await page.getByRole("heading", { level: 1, name: "You're offline" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Trending" }).waitFor();
  });
});
