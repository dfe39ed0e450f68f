import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { useAdsSite } from "../support/ads-site.ts";
import { addClip } from "../support/player-clips.ts";
import { playVideo } from "../support/video-page.ts";

let page: Page;

const site = useAdsSite({ type: "popup", placement: "footer", title: "Over the page" }, (filled) =>
  addClip(filled, "long", { slug: "long" }),
);
const { app, createAd } = site;
beforeEach(() => {
  ({ page } = site);
});

test("shows popups on content pages, and not over sign-in or missing pages", async () => {
  await createAd();
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(`${app.url}/categories`);
  const popup = page.locator(".spot-popup");
  await popup.waitFor();
  // The menu is above the popup.
  await page.locator("header summary").click();
  await page.locator("header").getByRole("link", { name: "Sign In" }).last().click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await popup.waitFor({ state: "detached" });
  for (const path of ["/no-such-page", "/video/no-such-video"]) {
    const asked = page.waitForRequest((request) => request.url().includes("placement=footer"));
    await page.goto(app.url + path);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const types = new URL((await asked).url()).searchParams.get("type");
    const settled = ".spot[data-slot=footer]:not([data-state=waiting])";
    await page.locator(settled).waitFor({ state: "attached" });
    expect(types).not.toContain(",");
  }
  expect(await popup.count()).toBe(0);
});

test.each([
  ["the share dialog", "Share", "dialog"],
  ["the menu with the other actions", "More about this video", "menu"],
] as const)("stays below %s, which gets the Escape key first", async (_, name, role) => {
  await createAd({ placement: "sidebar" });
  await page.goto("/video/long");
  const popup = page.locator(".spot-popup", { hasText: "Over the page" });
  await popup.waitFor();
  const opened = page.getByRole(role);
  await page.getByRole("group", { name: "Actions" }).getByRole("button", { name }).click();
  await opened.waitFor();
  const zIndexOf = (element: Locator) =>
    element.evaluate((found) => {
      const layered = found.closest<HTMLElement>(".dialog-popup, .z-50, .spot-popup");
      return Number(layered === null ? 0 : getComputedStyle(layered).zIndex);
    });
  expect(await zIndexOf(opened)).toBeGreaterThan(await zIndexOf(popup));
  await page.keyboard.press("Escape");
  await opened.waitFor({ state: "detached" });
  expect(await popup.count()).toBe(1);
  await page.keyboard.press("Escape");
  await popup.waitFor({ state: "detached" });
});

test("moves to the other corner while the mini player is open, and is hidden on phones", async () => {
  await createAd();
  await playVideo(page, "long");
  await page.getByRole("link", { name: "Trending" }).first().click();
  const [mini, popup] = [page.locator(".mini-player"), page.locator(".spot-popup")];
  await mini.getByRole("button", { name: "Close" }).waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await popup.waitFor();
  const boxes = [await mini.boundingBox(), await popup.boundingBox()];
  const [start, end] = boxes.map((box) => box?.x ?? NaN).toSorted((a, b) => a - b);
  const left = boxes.find((box) => box?.x === start);
  expect((left?.x ?? NaN) + (left?.width ?? NaN)).toBeLessThan(end ?? NaN);
  await page.setViewportSize({ width: 390, height: 844 });
  await popup.waitFor({ state: "hidden" });
  await mini.getByRole("button", { name: "Close" }).click();
  await popup.waitFor();
});

test("stays open when Escape closes the player's list of keys", async () => {
  await createAd({ placement: "sidebar" });
  await page.goto("/video/long");
  const popup = page.locator(".spot-popup", { hasText: "Over the page" });
  await popup.waitFor();
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  expect(await popup.count()).toBe(1);
});
