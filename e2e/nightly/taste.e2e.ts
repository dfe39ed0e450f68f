import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { feedList, type FeedList } from "#contract/lists/feed.ts";
import type { TestApp } from "#test/app.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { desktop, phone } from "../support/browser.ts";
import { activeItem, openFeed, shownItem, waitForItem } from "../support/feed-screen.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { shareSite } from "../support/shared-site.ts";

const themes = { harbour: 30, desert: 60 };
const dayMs = 24 * 3600 * 1000;

/** Adds clips of two themes. They are so short that a play completes quickly. */
async function fill(app: TestApp): Promise<void> {
  for (const [theme, count] of Object.entries(themes)) {
    const tag = await makeTag(app.db, { name: theme, slug: theme });
    const category = await makeCategory(app.db, { name: `The ${theme}`, slug: `the-${theme}` });
    for (let number = 1; number <= count; number += 1) {
      await makeVideo(
        app.db,
        {
          slug: `${theme}-${number}`,
          title: `Study ${theme === "harbour" ? "A" : "B"}${number}`,
          duration_s: 2,
          published_at: new Date(Date.now() - (30 + number) * dayMs),
        },
        { tagIds: [tag.id], categoryIds: [category.id] },
      );
    }
  }
}

const site = shareSite(fill);

/**
 * Performs an action and returns the next request for the feed and its response.
 * @param query pattern of the expected URL, because an earlier request may still be in flight.
 */
async function nextCall(page: Page, act: () => Promise<unknown>, query = /./) {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().includes("/api/feed?") && query.test(each.url())),
    act(),
  ]);
  return { url: response.url(), list: feedList.parse(await response.json()) };
}
const nextPage = async (page: Page, act: () => Promise<unknown>, query?: RegExp) =>
  (await nextCall(page, act, query)).list;

const inTheme = ({ videos }: FeedList, theme: string) =>
  videos.filter(({ slug }) => slug.startsWith(theme)).length;

/** Number of sessions. Each one is drawn separately, so the test looks at several. */
const sessions = 5;
/**
 * Expected among the first twenty videos: 10 to 15 of the theme after ten plays, and 1 to 10
 * without plays.
 */
const manyInTheme = sessions * 9;
/** About eight of twenty have this tag by default. With "Show less" one may still appear. */
const fewInTheme = sessions * 3;

/** Counts the videos of this theme over several sessions with the same query. */
async function countInTheme(page: Page, url: string, theme: string): Promise<number> {
  let count = 0;
  for (let session = 0; session < sessions; session += 1) {
    const response = await page.request.get(url);
    count += inTheme(feedList.parse(await response.json()), theme);
  }
  return count;
}

/** Plays these clips to their end as this visitor. */
async function watchAll(page: Page, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs) {
    for (const data of [
      { watchTime: 0, completed: false },
      { watchTime: 2, completed: true },
    ]) {
      const sent = await page.request.post(`/api/videos/${slug}/watch`, {
        data,
        headers: { origin: site.url },
      });
      expect(sent.status()).toBe(202);
    }
  }
}

const tenOf = (theme: string) => Array.from({ length: 10 }, (_, n) => `${theme}-${n + 1}`);
const chooseInMenu = async (page: Page, role: "menuitem" | "menuitemcheckbox", name: string) => {
  await page
    .locator(`${activeItem}, .feed-side-rail`)
    .getByRole("button", { name: "More about this video" })
    .locator("visible=true")
    .click();
  await page.getByRole(role, { name }).click();
};

describe("the For You feed of a visitor", () => {
  test("adapts after ten plays, explains it, and stops when switched off", async () => {
    const { page } = await site.open(desktop);
    await serveThumbnails(page);
    await watchAll(page, tenOf("harbour"));
    const own = await nextCall(page, () => openFeed(page, "/feed"));
    expect(await countInTheme(page, own.url, "harbour")).toBeGreaterThan(manyInTheme);
    expect(own.list.videos.map(({ why }) => why)).toContain("Because you watch #harbour");

    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 2);
    await expect.poll(() => shownItem(page)).toMatchObject({ kind: "video" });

    const same = await nextCall(
      page,
      () => chooseInMenu(page, "menuitemcheckbox", "Personalize my feed"),
      /personal=false/,
    );
    expect(await countInTheme(page, same.url, "harbour")).toBeLessThan(manyInTheme);
    expect(same.list.videos.map(({ why }) => why).join()).not.toContain("Because");
    await page.getByText("Your feed is no longer personalized.").waitFor();

    const back = await nextCall(
      page,
      () => chooseInMenu(page, "menuitemcheckbox", "Personalize my feed"),
      /^(?!.*personal=false)/,
    );
    expect(await countInTheme(page, back.url, "harbour")).toBeGreaterThan(manyInTheme);
  });

  test("continues without an unwanted clip, and never shows it again", async () => {
    const { page } = await site.open(phone);
    await serveThumbnails(page);
    await openFeed(page, "/feed");
    const { slug } = await shownItem(page);
    const next = await nextPage(
      page,
      () => chooseInMenu(page, "menuitem", "Not interested"),
      /[?&]not=[^&]/,
    );
    await page.getByText("You'll see fewer videos like this.").waitFor();
    await expect.poll(() => shownItem(page)).toMatchObject({ slug: next.videos[0]?.slug });

    const again = await nextPage(page, () => openFeed(page, "/feed"));
    expect(again.videos.map((video) => video.slug)).not.toContain(slug);
  });

  test("shows fewer videos of an unwanted tag", async () => {
    const { page } = await site.open(phone);
    await serveThumbnails(page);
    await openFeed(page, "/feed/desert-20");
    const next = await nextCall(
      page,
      () => chooseInMenu(page, "menuitem", "Show less #desert"),
      /[?&]less=[^&]/,
    );
    await page.getByText("You'll see less #desert.").waitFor();
    expect(await countInTheme(page, next.url, "desert")).toBeLessThan(fewInTheme);
    const again = await nextCall(page, () => openFeed(page, "/feed"));
    expect(await countInTheme(page, again.url, "desert")).toBeLessThan(fewInTheme);
  });
});

describe("why a video is there", () => {
  /** Nothing is told by the reason that a video is new or was published lately, or by a 0. */
  const tells = ({
    reason,
  }: {
    reason?: { kind: string; count?: number | undefined } | undefined;
  }) =>
    reason !== undefined &&
    !/^(newcomer|exploration|published)/.test(reason.kind) &&
    reason.count !== 0;

  test("appears in the For You feed, on a phone and beside the frame", async () => {
    const { db } = site.app.database;
    const { id } = await makeVideo(db, { slug: "fresh", title: "Fresh", duration_s: 2, views: 0 });
    await site.app.context.changeEvents.publish(["videos"]);
    for (const screen of [phone, desktop]) {
      await using visit = await site.open(screen);
      const { page } = visit;
      await serveThumbnails(page);
      const list = await nextPage(page, () => openFeed(page, "/feed/desert-1"));
      const newcomer = list.videos.find((video) => video.id === id);
      expect(newcomer?.why).toBe("New and not widely shown yet");
      const why = page
        .locator(screen === phone ? `${activeItem} .feed-why` : ".feed-details-why")
        .locator("visible=true");
      // The page contains the first three. The response contains the others.
      for (let number = 2; number <= 8; number += 1) {
        await page.keyboard.press("ArrowDown");
        await waitForItem(page, number);
        const shown = list.videos[number - 4];
        if (shown !== undefined) {
          await expect.poll(() => why.allTextContents()).toEqual(tells(shown) ? [shown.why] : []);
        }
      }
    }
    await db.deleteFrom("videos").where("id", "=", id).execute();
  });

  test("appears on trending, related and found videos", async () => {
    const { page } = await site.open(desktop);
    await serveThumbnails(page);
    await watchAll(page, ["desert-7"]);
    // If all views are recent, the card shows them once and no reason.
    const { db } = site.app.database;
    await db.updateTable("videos").set({ views: 50 }).where("slug", "=", "desert-7").execute();
    const card = page.locator('main li > a[href="/video/desert-7"]');
    await page.goto("/trending?timeRange=today");
    await expect
      .poll(async () => {
        await page.reload();
        return card.textContent();
      })
      .toMatch(/\d views? in 24 h/);

    await page.goto("/video/desert-7");
    await page
      .locator("section", { hasText: "Related" })
      .getByText("Also #desert")
      .first()
      .waitFor();

    await page.goto("/home?search=harbour");
    await page.getByText("Found in #harbour").first().waitFor();
    await page.goto("/home?search=study");
    await page.getByText("Found in the title").first().waitFor();
  });
});
