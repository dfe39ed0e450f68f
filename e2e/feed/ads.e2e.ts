import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { useClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { userAgent } from "../support/ads-site.ts";
import { desktop, openVisitor, screens, type Visitor } from "../support/browser.ts";
import { activeItem, openFeed, shownItem, waitForItem } from "../support/feed-screen.ts";
import { addShortClips } from "../support/player-clips.ts";
import { usePages } from "../support/shared-site.ts";

/** Milliseconds by which the server's clock is ahead. */
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs, date: () => new Date(Date.now() + aheadMs) };

const app = usePages({ clock });
const admin = useClient(app);
beforeAll(async () => {
  await addShortClips(app, 8);
});
beforeEach(() => app.db.deleteFrom("ads").execute());

/** Adds ads with these values and waits until the pages include feed ads. */
async function addAds(...ads: Parameters<typeof makeAd>[1][]): Promise<string[]> {
  const ids: string[] = [];
  for (const ad of ads) {
    const row = await makeAd(app.db, { placement: "feed", link_url: null, ...ad });
    ids.push(row.id);
  }
  await app.context.changed("everything");
  await expect.poll(async () => (await fetch(app.url)).text()).toContain('"adSlots":[{"placement"');
  return ids;
}

interface Watcher extends AsyncDisposable {
  page: Page;
  /** Returns the number of ad lists that the page has requested. */
  lists(): number;
  visit: Visitor;
}

async function watch(): Promise<Watcher> {
  const visit = await openVisitor(app.url, { ...desktop, userAgent });
  const { page } = visit;
  let lists = 0;
  page.on("request", (request) => {
    if (/\/api\/spots\/public\?.*placement=feed/.test(request.url())) lists += 1;
  });
  return { page, visit, lists: () => lists, [Symbol.asyncDispose]: () => page.context().close() };
}

/** Moves down to this item and returns the titles of the ads shown. */
async function moveDownTo(page: Page, last: number): Promise<string[]> {
  const titles: string[] = [];
  for (let { number } = await shownItem(page); number < last; number += 1) {
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, number + 1);
    if ((await shownItem(page)).kind === "ad") {
      titles.push((await page.locator(`${activeItem} h2`).textContent()) ?? "");
    }
  }
  return titles;
}

const impressionsOf = async (id: string | undefined) =>
  (await admin.call("GET", `/api/ads/${id}`)).json.verifiedImpressionCount;

test("shows an ad with a cap of one once per visitor, and doesn't request empty lists again", async () => {
  const [id] = await addAds({ title: "Once", visitor_daily_cap: 1 });
  await using visitor = await watch();
  const { page } = visitor;
  await openFeed(page, app.url);
  expect(await moveDownTo(page, 4)).toEqual(["Once"]);
  await expect.poll(() => impressionsOf(id)).toBe(1);
  expect(await moveDownTo(page, 14)).toEqual([]);
  expect(visitor.lists()).toBe(2);
  expect(await impressionsOf(id)).toBe(1);
});

test("stops showing an ad in an open feed once it is deactivated", async () => {
  const [off] = await addAds({ title: "Off" });
  await using visitor = await watch();
  const { page } = visitor;
  await openFeed(page, app.url);
  expect(await moveDownTo(page, 4)).toEqual(["Off"]);
  await expect.poll(() => impressionsOf(off)).toBe(1);
  await addAds({ title: "On" });
  const change = await admin.call("PUT", `/api/ads/${off}`, { isActive: false });
  expect(change.status).toBe(200);
  expect(await moveDownTo(page, 16)).toEqual(["On", "On", "On"]);
  expect(await impressionsOf(off)).toBe(1);
});

test("hides popups beside an ad, and stops showing an ad the visitor hides", async () => {
  const popup = { title: "Over", type: "popup", placement: "footer" } as const;
  await addAds({ title: "One" }, { title: "Two" }, popup);
  await using visitor = await watch();
  const { page } = visitor;
  await openFeed(page, app.url);
  await page.locator(".spot-popup").waitFor();
  const [stopped] = await moveDownTo(page, 4);
  await page.locator(".spot-popup").waitFor({ state: "hidden" });
  await page.locator(`${activeItem} .spot-about`).click();
  await page.getByRole("button", { name: "Hide this ad" }).click();
  await expect.poll(async () => (await shownItem(page)).kind).toBe("video");
  await page.locator(".spot-popup").waitFor();
  const left = stopped === "One" ? "Two" : "One";
  const { number } = await shownItem(page);
  expect(await moveDownTo(page, number + 12)).toEqual([left, left, left]);
});

test("keeps the feed in place when the keyboard reaches its lowest button below a popup", async () => {
  await addAds({ title: "Over", type: "popup", placement: "footer" });
  await using visitor = await watch();
  const { page } = visitor;
  await page.setViewportSize(screens.phone);
  await openFeed(page, app.url);
  await page.locator(".spot-popup").waitFor();
  await page.locator(activeItem).getByRole("button", { name: "More about this video" }).focus();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("passes an ad on to the next visitor if its reservation expires", async () => {
  const [id] = await addAds({ title: "Last one", total_limit: 1, has_even_pacing: false });
  await using slow = await watch();
  await slow.page.clock.install();
  await openFeed(slow.page, app.url);
  await moveDownTo(slow.page, 2);
  await expect.poll(slow.lists).toBe(1);
  aheadMs += 61_000;
  await slow.page.clock.fastForward(61_000);
  await using quick = await watch();
  await openFeed(quick.page, app.url);
  expect(await moveDownTo(quick.page, 4)).toEqual(["Last one"]);
  await expect.poll(() => impressionsOf(id)).toBe(1);
  expect(await moveDownTo(slow.page, 10)).toEqual([]);
  expect(await impressionsOf(id)).toBe(1);
});
