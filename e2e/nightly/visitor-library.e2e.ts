import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { arabic, english } from "../support/languages.ts";
import { layoutShiftSoFar, noteLayoutShifts } from "../support/layout-shifts.ts";
import { gapAtEnd } from "../support/page-end.ts";
import { usePublicSite } from "../support/public-site.ts";
import { provoked } from "../support/browser.ts";

/** The videos of this site have no files, so they don't play. */
const site = usePublicSite({ expectProblems: /media|MEDIA_ERR|NotSupportedError|play|404/i });

const region = (page: Page, name: string) => page.getByRole("region", { name });
const kept = (page: Page): Promise<Record<string, { slug: string }[]>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem("kinora.library") ?? "{}"));

/** Loads another size of a thumbnail and returns the width in pixels of the one on screen. */
async function keepPictureAndLoadSibling(): Promise<number> {
  const canvas = new OffscreenCanvas(32, 18);
  canvas.getContext("2d");
  const blob = await canvas.convertToBlob();
  const cache = await caches.open("library-1");
  await cache.put("/media/v/kept/w640.webp", new Response(blob));
  const image = new Image();
  image.src = "/media/v/kept/w400.avif";
  await image.decode();
  return image.naturalWidth;
}

it("creates a playlist from cards, the video page and the feed, sorts it and plays it, in Arabic", async () => {
  const { prefix, texts } = arabic;
  const { save, video, playlist } = texts;
  const own = texts.library;
  const { page } = await site.visit(`${prefix}/home`);
  const menuItem = (name: string) => page.getByRole("menuitemcheckbox", { name });
  await page.getByRole("button", { name: texts.videos.keep("Study 30") }).click();
  await page.getByRole("menuitem", { name: save.newPlaylist }).click();
  const name = page.getByRole("textbox", { name: save.name });
  await name.and(page.locator(":focus")).fill("Evening");
  await page.getByRole("button", { name: save.create }).click();
  await page.getByText(save.added("Evening")).waitFor();

  await page.goto(`${prefix}/video/study-29`);
  await page.getByRole("button", { name: video.moreActions }).click();
  await menuItem("Evening").waitFor();
  await menuItem("Evening").click();
  await page.getByText(save.added("Evening")).waitFor();

  await page.goto(`${prefix}/feed/study-27`);
  await page.locator(".feed-side-rail").getByRole("button", { name: texts.feed.more }).click();
  await page.getByRole("menuitem", { name: texts.feed.keep }).click();
  await menuItem("Evening").click();
  await page.getByText(save.added("Evening")).waitFor();
  // Waits long enough for the video to count as watched.
  await expect.poll(async () => (await kept(page))["history"]?.[0]?.slug).toBe("study-27");

  await page.goto(`${prefix}/library`);
  const lists = region(page, own.playlists);
  const { few, other } = texts.format.videos;
  await lists.getByText((few ?? other).replace("#", "3"), { exact: true }).waitFor();
  expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
  await lists.getByText(own.showVideos).click();
  await lists.getByRole("button", { name: own.moveUp("Study 27") }).click();
  await expect
    .poll(() => lists.locator("ol > li").allInnerTexts())
    .toEqual([
      expect.stringContaining("Study 30"),
      expect.stringContaining("Study 27"),
      expect.stringContaining("Study 29"),
    ]);
  await lists.getByRole("button", { name: own.renameList("Evening") }).click();
  await page.getByRole("textbox", { name: save.name }).fill("Night");
  await page.getByRole("button", { name: own.rename, exact: true }).click();
  await lists.getByRole("heading", { name: "Night" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await lists.getByRole("link", { name: own.playList("Night") }).click();
  const bar = region(page, playlist.current);
  await bar.getByText(playlist.place(1, 3)).waitFor();
  await bar.getByRole("link", { name: playlist.next("Study 27") }).click();
  await bar.getByText(playlist.place(2, 3)).waitFor();
  await expect.poll(() => gapAtEnd(page, ".playlist-bar")).toBeGreaterThan(0);
  await expect.poll(() => new URL(page.url()).pathname).toBe(`${prefix}/video/study-27`);
  await bar.getByRole("link", { name: playlist.leave }).click();
  await bar.waitFor({ state: "detached" });

  await page.goto(`${prefix}/library`);
  await lists.getByRole("button", { name: own.deleteList("Night") }).click();
  await page.getByRole("dialog").getByRole("button", { name: own.delete }).click();
  await lists.getByText(own.playlistsEmpty).waitFor();
});

it("shows a row with new videos of followed labels on the home page without layout shifts, in Arabic", async () => {
  const { prefix, texts } = arabic;
  const { page } = await site.visit(`${prefix}/home`);
  const row = region(page, texts.home.followed);
  await page.getByRole("button", { name: texts.videos.keep("Study 30") }).waitFor();
  await expect
    .poll(() => page.locator(".follow-row").evaluate((each) => each.clientHeight))
    .toBe(0);
  await page.goto(`${prefix}/tags/slow`);
  await page.getByRole("button", { name: texts.browseParts.follow, exact: true }).click();
  await page.getByRole("button", { name: texts.browseParts.following }).waitFor();
  const shifts = await noteLayoutShifts(page);
  await page.goto(`${prefix}/home`);
  await row.getByRole("link", { name: /Study 30/ }).waitFor();
  await expect.poll(() => row.getByRole("listitem").count()).toBe(12);
  await expect.poll(shifts).toBeLessThan(0.02);
});

it("moves positions, playlists and favorites to another device, in Arabic", async () => {
  const { prefix, texts } = arabic;
  const own = texts.library;
  const first = await site.visit(`${prefix}/home`);
  await first.page.request.post("/api/videos/study-12/favorite");
  await first.page.evaluate(() => {
    const video = { slug: "study-3", title: "Study 3", thumbnail: null, durationS: 63, atMs: 1 };
    const playlists = [{ id: "1", name: "Evening", videos: [video] }];
    localStorage.setItem("kinora.library", JSON.stringify({ playlists }));
    localStorage.setItem("kinora.resume", JSON.stringify([["an-id", 42]]));
  });
  await first.page.goto(`${prefix}/library`);
  await first.page.getByRole("button", { name: own.makeCode }).click();
  const code = first.page.locator("[data-code] [dir=ltr]");
  await code.waitFor();
  const { page } = await site.visit(`${prefix}/library#code=${await code.innerText()}`);
  await page.getByRole("button", { name: own.takeOver }).click();
  await region(page, own.playlists).getByRole("heading", { name: "Evening" }).waitFor();
  const resume = () => page.evaluate(() => localStorage.getItem("kinora.resume"));
  await expect.poll(resume).toBe('[["an-id",42]]');
  await page.goto(`${prefix}/favorites`);
  await page.getByRole("link", { name: /Study 12/ }).waitFor();
});

it("retains saved videos until a new document loads if the browser stores nothing", async () => {
  const { page } = await site.visit("/home");
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  for (const title of ["Study 30", "Study 29"]) {
    await page.getByRole("button", { name: `Save ${title}` }).click();
    await page.getByRole("menuitemcheckbox", { name: "Watch later" }).click();
    await page.getByText("Your browser couldn't store this change.").waitFor();
    await page.getByText("Your browser couldn't store this change.").waitFor({ state: "detached" });
  }
  await page
    .getByRole("link", { name: /Study 30/ })
    .first()
    .click();
  await page.getByRole("button", { name: "More about this video" }).click();
  const later = page.getByRole("menuitemcheckbox", { name: "Watch later" });
  await expect.poll(() => later.getAttribute("aria-checked")).toBe("true");
});

describe("a library", () => {
  const { prefix, texts } = english;
  const { library, layout, video, videos, save, browseParts, failures } = texts;
  const named = (page: Page, list: string) =>
    region(page, list).getByRole("link", { name: /Study 28/ });
  const forget = async (page: Page) => {
    await page.getByRole("button", { name: library.forget }).click();
    await page.getByRole("dialog").getByRole("button", { name: library.forget }).click();
  };
  /** Watches and saves a video and follows a tag. */
  const fill = async (page: Page) => {
    await page.getByRole("button", { name: video.moreActions }).click();
    await page.getByRole("menuitemcheckbox", { name: save.later }).click();
    await page.getByText(save.added(save.later)).waitFor();
    await page.goto(`${prefix}/tags/slow`);
    await page.getByRole("button", { name: browseParts.follow, exact: true }).click();
    await page.getByRole("button", { name: browseParts.following }).waitFor();
    await page.goto(`${prefix}/library`);
    await named(page, library.later).waitFor();
    await named(page, library.history).waitFor();
    const rss = region(page, library.follows).getByRole("link", { name: library.rss });
    await expect.poll(() => rss.getAttribute("href")).toBe(`${prefix}/tags/slow/feed.rss`);
    expect(await layoutShiftSoFar(page)).toBeLessThan(0.02);
  };

  it("stores history, watch later and follows, and moves them to another browser once", async () => {
    const first = await site.visit(`${prefix}/video/study-28`);
    await fill(first.page);
    await first.page.getByRole("button", { name: library.makeCode }).click();
    const shown = first.page.locator("[data-code] [dir=ltr]");
    await shown.waitFor();
    const code = await shown.innerText();

    // The QR code opens this URL, in the same language.
    const qr = first.page.getByRole("img", { name: library.codeQr });
    const address = `${site.app.url}${prefix}/library#code=${code.replaceAll("-", "")}`;
    const dark = encode(address, { border: 3 }).data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])),
    );
    const path = await qr.locator("path").getAttribute("d");
    expect(path?.match(/\d+ \d+/g)).toEqual(dark);
    const { page } = await site.visit(`${prefix}/library#code=${code.replaceAll("-", "")}`);
    await page.getByRole("button", { name: library.takeOver }).click();
    await named(page, library.later).waitFor();
    await named(page, library.history).waitFor();
    await page.getByRole("link", { name: "slow" }).waitFor();

    await page.getByRole("textbox", { name: library.enterCode }).fill(code);
    await page.getByRole("button", { name: library.takeOver }).click();
    await page.getByText(failures.unknown_code).waitFor();

    await forget(page);
    await named(page, library.history).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => localStorage.getItem("kinora.library"))).toBeNull();
  });

  it("imports an exported file in addition to existing data, and refuses an invalid file", async () => {
    const { page } = await site.visit(`${prefix}/video/study-28`);
    await fill(page);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: library.export }).click(),
    ]);
    const buffer = await readFile(await saved.path());
    await forget(page);
    await named(page, library.history).waitFor({ state: "detached" });

    const choose = async (content: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: library.import }).click(),
      ]);
      await chooser.setFiles({ name: "a.json", mimeType: "application/json", buffer: content });
    };
    const said = (text: string) => page.getByRole("status").getByText(text, { exact: true });
    await choose(Buffer.from('{"name":"something else"}'));
    await said(library.fileUnknown).waitFor();
    await page.goto(`${prefix}/video/study-27`);
    const title = page.getByRole("heading", { level: 1, name: "Study 27" });
    await title.waitFor();
    await expect.poll(async () => (await kept(page))["history"]?.length).toBe(1);
    await page.goto(`${prefix}/library`);

    await choose(buffer);
    await said(library.imported).waitFor();
    await said(library.addedTo(library.history, "1")).waitFor();
    await said(library.addedTo(library.later, "1")).waitFor();
    await said(library.addedTo(library.follows, "1")).waitFor();
    await named(page, library.later).waitFor();
    await named(page, library.history).waitFor();
    await region(page, library.history)
      .getByRole("link", { name: /Study 27/ })
      .waitFor();
    await choose(buffer);
    await said(library.importedNothing).waitFor();
  });

  it("opens the library offline, and links to it from an installed app's front page", async () => {
    const { page } = await site.visit(`${prefix}/home`, {
      serviceWorkers: "allow",
      expectProblems: provoked,
    });
    await page.getByRole("button", { name: videos.keep("Study 30") }).click();
    await page.getByRole("menuitemcheckbox", { name: save.later }).click();
    await page.getByText(save.added(save.later)).waitFor();
    // The worker is ready when it has stored the page.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const isStored = () =>
      page.evaluate((path) => caches.match(path).then((found) => found?.ok), `${prefix}/library`);
    await expect.poll(isStored).toBe(true);
    await page.context().setOffline(true);
    await page.goto(prefix || "/");
    await page.waitForURL(`**${prefix}/library`);
    const keptLink = region(page, library.later).getByRole("link", { name: /Study 30/ });
    await keptLink.waitFor();
    await page.goto(`${prefix}/video/study-30`);
    await page.getByRole("heading", { name: library.offline }).waitFor();
    await page.getByRole("link", { name: layout.library }).click();
    await keptLink.waitFor();
    await expect.poll(() => page.evaluate(keepPictureAndLoadSibling)).toBe(32);

    await page.context().setOffline(false);
    await forget(page);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});
