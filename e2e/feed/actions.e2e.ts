import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createClient } from "#test/app.ts";
import {
  activeItem,
  activeVideo,
  openFeed,
  openPlayingFeed,
  shownItem,
  waitForItem,
} from "../support/feed-screen.ts";
import { arabic } from "../support/languages.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { desktop, phone, provoked } from "../support/browser.ts";
import { waitForPlaying } from "../support/playback.ts";

const site = shareSite((app) => addShortClips(app, 8));

/** Returns how far red exceeds green and blue in a color, from 0 to 255. */
function redness(page: Page, color: string): Promise<number> {
  return page.evaluate((css) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (canvas === null) throw new Error("no canvas");
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return red - Math.max(green, blue);
  }, color);
}
const rail = (page: Page) => page.locator(".feed-side-rail");

async function likesOf(slug: string | null): Promise<number> {
  const row = await site.app.db
    .selectFrom("videos")
    .select("likes")
    .where("slug", "=", slug ?? "")
    .executeTakeFirst();
  return row?.likes ?? -1;
}

describe("the action rail", () => {
  test("counts a like at once and preserves it across a reload", async () => {
    const { page } = await site.open(desktop);
    await openFeed(page, `${site.url}/feed/clip-1`);
    const like = rail(page).getByRole("button", { name: /^Like/ });
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("false");
    await like.click();
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => like.isEnabled()).toBe(true);
    await expect.poll(() => like.textContent()).toBe("1");
    await expect.poll(() => likesOf("clip-1")).toBe(1);
    await openFeed(page, `${site.url}/feed/clip-1`);
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("l");
    await expect.poll(() => likesOf("clip-1")).toBe(0);
  });

  test("likes a clip on a double tap and never withdraws the like, in Arabic", async () => {
    const { prefix } = arabic;
    // Likes persist, so each language uses a different clip.
    const slug = prefix === "" ? "clip-2" : "clip-5";
    const { page } = await site.open(phone);
    await openPlayingFeed(page, `${site.url}${prefix}/feed/${slug}`);
    const like = page.locator(activeItem).locator(".feed-rail button[aria-pressed]").first();
    // Taps within 250 ms, even on a busy machine.
    const tapTwice = () =>
      page.locator(`${activeItem} .feed-touch`).evaluate((picture) => {
        for (const detail of [1, 2]) {
          const at = { clientX: 100, clientY: 300, detail };
          picture.dispatchEvent(
            new MouseEvent("click", { bubbles: true, cancelable: true, ...at }),
          );
        }
      });
    await tapTwice();
    await page.locator(`${activeItem} .feed-heart`).waitFor({ state: "attached" });
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => likesOf(slug)).toBe(1);
    await expect.poll(() => like.isEnabled()).toBe(true);
    await tapTwice();
    await waitForPlaying(page, activeVideo);
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => likesOf(slug)).toBe(1);
  });

  test("reverts a failed like with a red toast", async () => {
    const { page } = await site.open({ ...desktop, expectProblems: provoked });
    await page.route("**/like", (route) => route.fulfill({ status: 500, json: { message: "no" } }));
    await openPlayingFeed(page, `${site.url}/feed/clip-3`);
    const like = rail(page).getByRole("button", { name: /^Like/ });
    await like.click();
    const message = page.getByText("Failed to update like. Please try again.");
    await message.waitFor();
    const color = await message.evaluate((toast) => getComputedStyle(toast).backgroundColor);
    expect(await redness(page, color)).toBeGreaterThan(50);
    await expect.poll(() => like.getAttribute("aria-pressed")).toBe("false");
    await expect.poll(() => like.textContent()).toBe("0");
    await expect.poll(() => likesOf("clip-3")).toBe(0);
    await waitForPlaying(page, activeVideo);
    await message.waitFor({ state: "detached" });
  });

  test("lists a saved clip among the favorites", async () => {
    const { page } = await site.open(phone);
    await openFeed(page, `${site.url}/feed/clip-4`);
    const save = page
      .locator(`${activeItem} .feed-rail`)
      .getByRole("button", { name: "Save to favorites" });
    await save.click();
    await expect.poll(() => save.getAttribute("aria-pressed")).toBe("true");
    const names = () =>
      page.evaluate(async () => {
        const response = await fetch("/api/favorites");
        const { videos }: { videos: { slug: string }[] } = await response.json();
        return videos.map(({ slug }) => slug);
      });
    await expect.poll(names).toEqual(["clip-4"]);
    await openFeed(page, `${site.url}/feed/clip-4`);
    await expect.poll(() => save.getAttribute("aria-pressed")).toBe("true");
    await save.click();
    await expect.poll(names).toEqual([]);
  });

  test("opens the comments of a clip from its menu on a phone, and returns to the clip", async () => {
    const owner = createClient(site.url, await site.app.signIn("OWNER"));
    await owner.call("POST", "/api/settings", { comments: "open" });
    const { page } = await site.open(phone);
    await openFeed(page, `${site.url}/feed/clip-4`);
    await page.locator(activeItem).getByRole("button", { name: "More about this video" }).click();
    await page.getByRole("menuitem", { name: "Comments" }).click();
    await page.waitForURL("**/comments/clip-4");
    await page.getByText("No comments yet.").waitFor();
    await page.goBack();
    await expect.poll(async () => (await shownItem(page)).slug).toBe("clip-4");
  });

  test("copies the clip's address if the device has no share sheet", async () => {
    const { page } = await site.open({
      ...desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "share", { value: undefined });
    });
    await openFeed(page, `${site.url}/feed/clip-5`);
    const alerted = new Promise<string>((resolve) => {
      page.once("dialog", (dialog) => {
        resolve(dialog.message());
        void dialog.accept();
      });
    });
    await rail(page).getByRole("button", { name: "Share" }).click();
    expect(await alerted).toBe("Link copied to clipboard!");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${site.url}/feed/clip-5`);
    await waitForPlaying(page, activeVideo);
  });
});

test("counts several calls of a first referred visit as one visitor", async () => {
  const { page } = await site.open(phone);
  const made = new Set<string>();
  const ended = new Set<string>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    const cookie = await response.headerValue("set-cookie").catch(() => null);
    if (cookie?.startsWith("visitor=") === true) made.add(cookie);
    ended.add(pathname.replace(/^.*\//, ""));
  });
  // The other calls are made while the first one is pending.
  await page.route("**/api/visits", async (route) => {
    await page.waitForFunction(() => document.querySelector(".feed-item[data-active] video"));
    await waitForPlaying(page, activeVideo);
    await route.continue();
  });
  await openPlayingFeed(page, `${site.url}/?ref=flyer`);
  await expect.poll(() => ["visits", "watch"].every((call) => ended.has(call))).toBe(true);
  expect(made.size).toBe(1);
  await expect.poll(async () => (await page.context().cookies()).length).toBe(1);
});

describe("addresses", () => {
  test("gives each clip an address without filling the history, and starts a visit there", async () => {
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    const before = await page.evaluate(() => history.length);
    for (const number of [2, 3]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
    }
    await expect.poll(() => page.evaluate(() => history.length)).toBe(before);
    const { slug } = await shownItem(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/feed/${slug}`);
    await openFeed(page, page.url());
    await expect.poll(async () => (await shownItem(page)).slug).toBe(slug);
  });

  test("responds with a 404 page for an unknown clip", async () => {
    await using visit = await site.open({ ...desktop, expectProblems: provoked });
    const response = await visit.page.goto(`${site.url}/feed/no-such-clip`);
    expect(response?.status()).toBe(404);
  });

  test("returns from a clip's page to the same clip between the same neighbors", async () => {
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    const seen: (string | null)[] = [(await shownItem(page)).slug];
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      seen.push((await shownItem(page)).slug);
    }
    await page.locator("aside[aria-label=Details] a").first().click();
    await page.waitForURL(`**/video/${seen[3]}`);
    await page.waitForFunction(() => document.querySelector("[role=feed]") === null);
    await page.goBack();
    await page.waitForSelector("[role=feed]", { state: "attached" });
    await waitForItem(page, 4);
    await expect.poll(async () => (await shownItem(page)).slug).toBe(seen[3]);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await expect.poll(async () => (await shownItem(page)).slug).toBe(seen[2]);
  });

  test("preserves the neighbors of a clip across a reload", async () => {
    const { page } = await site.open(desktop);
    await openPlayingFeed(page, site.url);
    const seen: (string | null)[] = [(await shownItem(page)).slug];
    for (const number of [2, 3, 4]) {
      await page.keyboard.press("ArrowDown");
      await waitForItem(page, number);
      seen.push((await shownItem(page)).slug);
    }
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.reload();
    await waitForItem(page, 3);
    await expect.poll(async () => (await shownItem(page)).slug).toBe(seen[2]);
    await page.keyboard.press("ArrowDown");
    await waitForItem(page, 4);
    await expect.poll(async () => (await shownItem(page)).slug).toBe(seen[3]);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 3);
    await page.keyboard.press("ArrowUp");
    await waitForItem(page, 2);
    await expect.poll(async () => (await shownItem(page)).slug).toBe(seen[1]);
  });
});
