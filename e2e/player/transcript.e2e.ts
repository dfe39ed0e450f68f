import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, phone } from "../support/browser.ts";
import { openPlayingFeed } from "../support/feed-screen.ts";
import { addCaptions, addClip, addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { playVideo, position } from "../support/video-page.ts";

const time = (totalS: number) =>
  new Date(totalS * 1000).toISOString().slice(11, 23).replace(".", ",");
/** SubRip file with a line every two seconds. */
const subRip = (count: number, text: (at: number) => string) =>
  Array.from(
    { length: count },
    (_, at) => `${at + 1}\n${time(at * 2)} --> ${time(at * 2 + 1.8)}\n${text(at)}\n`,
  ).join("\n");

const site = shareSite(async (app) => {
  const long = await addClip(app, "long", { title: "The loom", slug: "loom" });
  await addCaptions(
    app,
    long.id,
    "language=en",
    subRip(10_000, (at) => `Thread ${at} & <i>on</i>, over and under, as long as a loom is wide.`),
  );
  await addCaptions(
    app,
    long.id,
    "language=ar",
    subRip(30, (at) => `خيط ${at}`),
  );
  const [clip] = await addShortClips(app, 1);
  if (clip !== undefined)
    await addCaptions(
      app,
      clip.id,
      "language=en",
      subRip(3, (at) => `Clip ${at}`),
    );
});

/** Scrolls at once, because the script replaces what is in view. */
const scrollTo = (place: Locator) => place.evaluate((element) => element.scrollIntoView());

test("reads, filters and plays from a transcript of 10,000 lines, and follows the video", async () => {
  const { page } = await site.open(desktop);
  await playVideo(page, "loom");
  const section = page.getByRole("region", { name: "Transcript" });
  await scrollTo(section);
  // The script replaces the HTML of the server, which has fewer lines and no current line.
  await section.locator("[aria-current]").waitFor({ state: "attached" });

  await section.getByRole("link", { name: /^0:40 Thread 20 & on/ }).press("Enter");
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(40);
  expect(new URL(page.url()).search).toBe("");
  const current = () => section.locator("[aria-current]").textContent();
  await expect.poll(current).toMatch(/^0:4\d Thread 2\d/);

  const search = section.getByRole("searchbox");
  await search.fill("THREAD 9999");
  await section.getByRole("link", { name: /^333:18 Thread 9999 & on/ }).waitFor();
  expect(await section.locator("mark").allTextContents()).toEqual(["Thread 9999"]);
  await search.fill("");
  await section.getByRole("combobox").selectOption({ label: "العربية" });
  const line = section.getByRole("link", { name: "0:00 خيط 0" });
  await line.waitFor();
  const direction = () => line.evaluate((element) => getComputedStyle(element).direction);
  expect(await direction()).toBe("rtl");
});

test("starts at the words of a search result, and shows their line", async () => {
  const { page } = await site.open(desktop);
  await page.goto("/video/loom?t=60");
  const section = page.getByRole("region", { name: "Transcript" });
  await scrollTo(section);
  const box = section.locator(".transcript-lines");
  await expect.poll(() => box.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  const line = section.getByRole("link", { name: /^1:00 Thread 30 & on/ });
  const isInBox = () =>
    line.evaluate((element) => {
      const frame = element.closest(".transcript-lines")?.getBoundingClientRect();
      const { top } = element.getBoundingClientRect();
      return frame !== undefined && top >= frame.top && top < frame.bottom;
    });
  await expect.poll(isInBox).toBe(true);
});

test("is folded on phones", async () => {
  const { page } = await site.open(phone);
  await page.goto("/video/loom");
  const summary = page.locator(".transcript summary");
  await scrollTo(summary);
  const line = page.getByRole("link", { name: /^0:02 Thread 1 & on/ });
  await line.waitFor({ state: "hidden" });
  await summary.click();
  await line.waitFor();
});

test("reads as links without scripts", async () => {
  const { page } = await site.open({ ...desktop, javaScriptEnabled: false });
  await page.goto("/video/loom");
  await page.locator(".transcript-tools").waitFor({ state: "hidden" });
  const line = page.getByRole("link", { name: /^0:02 Thread 1 & on/ });
  expect(await line.getAttribute("href")).toBe("?t=2");
  await page.getByRole("link", { name: "Read the whole transcript" }).waitFor();
});

test("opens from the menu of a clip in the feed", async () => {
  const { page } = await site.open(phone);
  await openPlayingFeed(page, `${site.url}/feed/clip-0`);
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Transcript" }).click();
  const dialog = page.getByRole("dialog", { name: "Transcript" });
  await dialog.getByRole("link", { name: "0:02 Clip 1" }).press("Enter");
  await expect.poll(() => dialog.locator("[aria-current]").textContent()).toMatch(/Clip [12]$/);
});
