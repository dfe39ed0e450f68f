import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../test/app.ts";
import { desktop, launchBrowser, openPage } from "./player-browser.ts";
import { addShortClips } from "./player-clips.ts";

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  await addShortClips(app, 2);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

test("a press on a button before the scripts have come is obeyed when they are there, once", async () => {
  await using visit = await openPage(browser, desktop);
  const { page } = visit;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  let likes = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/like")) likes += 1;
  });
  await page.goto(`${app.url}/video/clip-1`, { waitUntil: "commit" });
  await page.getByRole("button", { name: /^Like/ }).click();
  expect(likes).toBe(0);
  release();
  await expect
    .poll(async () => {
      const row = await app.database.db
        .selectFrom("videos")
        .select("likes")
        .where("slug", "=", "clip-1")
        .executeTakeFirst();
      return row?.likes ?? 0;
    })
    .toBe(1);
  expect(likes).toBe(1);
});
