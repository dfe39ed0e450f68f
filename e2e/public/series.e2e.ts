import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makeTag } from "#test/factories/make-label.ts";
import { desktop, phone } from "../support/browser.ts";
import { english } from "../support/languages.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addClip } from "../support/player-clips.ts";
import { cards } from "../support/public-site.ts";
import { shareSite } from "../support/shared-site.ts";

const { series: texts, playlist } = english.texts;

const site = shareSite(async (app) => {
  const tag = await makeTag(app.db, { name: "Trip", slug: "trip", is_series: true });
  for (const number of [1, 2, 3]) {
    const published = new Date(Date.now() - (10 - number) * 3600 * 1000);
    const values = { title: `Day ${number}`, slug: `day-${number}`, published_at: published };
    await addClip(app, "wide-0", values, { tagIds: [tag.id] });
  }
  const long = await makeTag(app.db, { name: "Sunsets from the deck of a ferry", slug: "sunsets" });
  const elsewhere = { title: "Elsewhere", slug: "elsewhere" };
  await addClip(app, "wide-1", elsewhere, { tagIds: [long.id] });
  const actor = { user: { id: null, email: "test" }, requestId: "test" };
  await app.context.settings.save({ pinnedLabels: ["tags/trip"] }, actor, () => undefined);
});

/** Without a countdown to the next video. */
const calm = { reducedMotion: "reduce" } as const;

const place = (page: Page) => page.getByRole("navigation", { name: "Trip" });

it("plays a series from a row of the home page, in order", async () => {
  const { page } = await site.open({ ...phone, ...calm });
  const readShifts = await noteLayoutShifts(page);
  await page.goto("/home");
  const row = page.getByRole("region", { name: "#Trip" });
  await row.locator(".card-part").nth(2).waitFor();
  expect(await readShifts()).toBe(0);
  await row.getByRole("link", { name: texts.seeAll("#Trip") }).click();
  await page.waitForURL("**/tags/trip");
  await page.getByText(texts.runningTime("1 minute")).waitFor();
  const numbers = page.locator("main ul .card-part");
  await expect.poll(() => numbers.allTextContents()).toEqual(["1", "2", "3"]);
  await page.getByRole("link", { name: texts.playAll }).click();
  await page.waitForURL("**/video/day-1?in=tags.trip");
  await place(page).getByText("Part 1 of 3 of Trip").waitFor();
  await place(page)
    .getByRole("link", { name: texts.next("Day 2") })
    .click();
  await page.waitForURL("**/video/day-2?in=tags.trip");
  await page.reload();
  await place(page).getByText("Part 2 of 3 of Trip").waitFor();
});

it("offers the next part at the end of a part", async () => {
  const { page } = await site.open({ ...desktop, playsNext: true });
  await page.goto("/video/day-1?in=tags.trip");
  const upNext = page.getByRole("region", { name: english.texts.upNext.title });
  await expect
    .poll(async () => {
      await page.locator("video").evaluate((media: HTMLVideoElement) => {
        if (media.duration - media.currentTime > 1) media.currentTime = media.duration - 0.3;
        return media.play();
      });
      return upNext.isVisible();
    })
    .toBe(true);
  await upNext.getByText("Day 2").waitFor();
  await upNext.getByRole("link").click();
  await page.waitForURL("**/video/day-2?in=tags.trip");
});

it("plays a list through in one tab, also after a reload", async () => {
  const { page } = await site.open({ ...desktop, ...calm });
  await page.goto("/trending?timeRange=all");
  const href = (await cards(page).first().getAttribute("href")) ?? "";
  await page.getByRole("link", { name: texts.playAll }).click();
  await page.waitForURL(`**${href}?list=queue`);
  const bar = page.getByRole("region", { name: playlist.current });
  await bar.getByText(playlist.place(1, 4)).waitFor();
  await bar.getByRole("link", { name: /^Next in the playlist/ }).click();
  await bar.getByText(playlist.place(2, 4)).waitFor();
  await page.reload();
  await bar.getByText(playlist.place(2, 4)).waitFor();
  const other = await site.open({ ...desktop, ...calm });
  await other.page.goto(page.url());
  await other.page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => other.page.evaluate(() => sessionStorage.getItem("queue"))).toBeNull();
  expect(await other.page.locator(".playlist-bar").count()).toBe(0);
  await bar.getByRole("link", { name: "Trending" }).click();
  await page.waitForURL("**/trending?timeRange=all");
});

it("gives a long name its own line on phones", async () => {
  const { page } = await site.open(phone);
  await page.goto("/tags/sunsets");
  const name = await page.getByRole("heading", { level: 1 }).boundingBox();
  const follow = await page
    .getByRole("button", { name: english.texts.browseParts.follow })
    .boundingBox();
  expect(name?.width).toBeGreaterThan(350);
  expect(follow?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
});
