import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openSettings } from "../support/player-settings.ts";
import { desktop, phone } from "../support/browser.ts";
import { activeItem, openPlayingFeed } from "../support/feed-screen.ts";
import { languages } from "../support/languages.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addCaptions, addClip, addShortClips, wholeLine } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const hostile =
  "<script>document.title='pwned'</script><i>Hello</i> <img src=x onerror=alert(1)>you";
const site = shareSite(async (app) => {
  const [first, second] = await addShortClips(app, 2);
  const long = await addClip(app, "long", {
    title: "A long one",
    slug: "long",
    description:
      "What is in it:\n0:00 The start\n0:20 Its <b>middle</b>, with a long title of its own\n0:50 The end",
  });
  for (const { id } of [first, second, long].filter((each) => each !== undefined)) {
    await addCaptions(app, id, "language=en", wholeLine(hostile));
    await addCaptions(app, id, "language=he", wholeLine("שלום לכולם!"));
  }
  if (second !== undefined) {
    await addCaptions(app, second.id, "language=ar", wholeLine("صباح الخير!"));
  }
  const many = await addClip(app, "long", { title: "Many", slug: "many", visibility: "unlisted" });
  for (const language of ["de", "en", "es", "fr", "it", "pt", "ru"]) {
    await addCaptions(app, many.id, `language=${language}`, wholeLine(language));
  }
  await addCaptions(app, long.id, "language=fr&isForced=true", wholeLine("{\\an8}<b>Sign</b>"));
});

const player = ".player video";
const lines = (page: Page) => page.locator(".player-captions p").allTextContents();

async function playVideo(
  page: Page,
  slug: string,
  prefix = "",
  captions = "Captions",
): Promise<void> {
  await page.goto(`${site.url}${prefix}/video/${slug}`);
  await page.locator(".player-controls").waitFor({ state: "attached" });
  const media = page.locator(player).first();
  if (await media.evaluate((element: HTMLVideoElement) => element.paused)) {
    await page.locator(".player-big-play").click();
  }
  await waitForPlaying(page, player);
  await page.getByRole("button", { name: captions }).waitFor({ state: "attached" });
}

describe("the player", () => {
  test("keeps the lines when the ladder takes over, and shows forced ones without a choice", async () => {
    const { page } = await site.open(desktop);
    await playVideo(page, "long");
    await expect.poll(() => lines(page)).toEqual(["Sign"]);
    await expect
      .poll(() => page.locator(".player-captions[data-top] p").allTextContents())
      .toEqual(["Sign"]);
    const source = () =>
      page
        .locator(player)
        .first()
        .evaluate((media: HTMLVideoElement) => media.currentSrc);
    await expect.poll(source).toMatch(/^blob:/);
    await waitForPlaying(page, player);
    await expect.poll(() => lines(page)).toEqual(["Sign"]);
    await page.keyboard.press("c");
    await expect.poll(() => lines(page)).toEqual(["Hello you"]);
    const tracks = () =>
      page
        .locator(player)
        .first()
        .evaluate((media: HTMLVideoElement) => media.textTracks.length);
    await expect.poll(tracks).toBe(3);
  });
});

test.each(languages)(
  "shows captions in the language of a page in $language when its key is pressed",
  async ({ language, prefix, texts }) => {
    const { page } = await site.open(desktop);
    await playVideo(page, "clip-1", prefix, texts.player.captions);
    await page.keyboard.press("c");
    await expect
      .poll(() => lines(page))
      .toEqual([language === "Arabic" ? "صباح الخير!" : "Hello you"]);
  },
);

test("separates captions and the large button on a paused phone", async () => {
  const { page } = await site.open(phone);
  await playVideo(page, "long");
  await page.keyboard.press("c");
  await expect.poll(() => lines(page)).toEqual(["Hello you"]);
  await page
    .locator(player)
    .first()
    .evaluate((media: HTMLVideoElement) => media.pause());
  await page.locator(".player-big-play").waitFor();
  const gap = () =>
    page.evaluate(() => {
      const box = (query: string) => document.querySelector(query)?.getBoundingClientRect();
      return (
        (box(".player-captions:not([data-top]) p")?.top ?? 0) -
        (box(".player-big-play")?.bottom ?? 0)
      );
    });
  await expect.poll(gap).toBeGreaterThan(0);
});

describe("the feed", () => {
  test.each([
    ["a phone", phone],
    ["a desktop", desktop],
  ])("shows captions above title and bar on %s, by key and menu", async (_, screen) => {
    const { page } = await site.open(screen);
    await openPlayingFeed(page, `${site.url}/feed/clip-0`);
    const shown = () => page.locator(`${activeItem} .player-captions p`).allTextContents();
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitemcheckbox", { name: "Captions: English" }).click();
    await expect.poll(shown).toEqual(["Hello you"]);
    const gap = () =>
      page.evaluate((item) => {
        const box = (query: string) =>
          document.querySelector(`${item} ${query}`)?.getBoundingClientRect();
        const below = box(".feed-title")?.top || box(".feed-scrub-rail")?.top;
        return (below ?? 0) - (box(".player-captions p")?.bottom ?? 0);
      }, activeItem);
    await expect.poll(gap).toBeGreaterThan(0);
    await page.keyboard.press("c");
    await expect.poll(shown).toEqual([]);
  });
});

test.each([
  ["a phone", phone],
  ["a desktop", desktop],
])("fits every caption choice within reach on %s, however many there are", async (_, screen) => {
  const { page } = await site.open(screen);
  await playVideo(page, "many");
  await openSettings(page, "Captions");
  const captions = page.getByRole("group", { name: "Captions" }).getByRole("menuitemradio");
  await expect.poll(() => captions.count()).toBe(8);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect.poll(() => captions.last().getAttribute("aria-checked")).toBe("true");
});

test.each([
  ["a phone", phone],
  ["a desktop", desktop],
])("shows the chapters of a description on the bar and in the menu on %s", async (_, screen) => {
  const { page } = await site.open(screen);
  await playVideo(page, "long");
  await expect.poll(() => page.locator(".player-seek-chapter").count()).toBe(2);
  await expect.poll(() => page.locator(".player-chapter").textContent()).toBe("The start");
  await openSettings(page, "Chapters");
  const group = page.getByRole("group", { name: "Chapters" });
  await expect.poll(() => group.getByRole("menuitemradio").count()).toBe(3);
  const isInside = () =>
    page.locator(".player-menu").evaluate((menu) => menu.scrollWidth <= menu.clientWidth);
  await expect.poll(isInside).toBe(true);
  await group.getByRole("menuitemradio", { name: "Its <b>middle</b>" }).click();
  const position = () =>
    page
      .locator(player)
      .first()
      .evaluate((media: HTMLVideoElement) => media.currentTime);
  await expect.poll(position).toBeGreaterThanOrEqual(20);
  await expect
    .poll(() => page.locator(".player-chapter").textContent())
    .toBe("Its <b>middle</b>, with a long title of its own");
});
