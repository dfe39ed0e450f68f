import { afterAll, beforeAll, expect, test } from "vitest";
import { closeVisitors, openVisitor } from "../../e2e/support/browser.ts";
import { waitForPlaying } from "../../e2e/support/playback.ts";
import { addClip } from "../../e2e/support/player-clips.ts";
import { startTestApp, type TestApp } from "../app.ts";
import { startObjectStore, type ObjectStore } from "../harness/object-store.ts";

let engine: ObjectStore;
let app: TestApp;
beforeAll(async () => {
  engine = await startObjectStore();
  const env = { ...engine.env, MEDIA_DELIVERY: "redirect" };
  app = await startTestApp({ pages: true, env });
  await addClip(app, "long", { title: "A long one", slug: "long" });
});
afterAll(async () => {
  await closeVisitors();
  await app.stop();
  await engine.stop();
});

test("plays the file and then the ladder from signed bucket addresses in Chromium", async () => {
  const visitor = await openVisitor(app.url, { canAutoplayWithSound: true });
  const signed = new Set<string>();
  const fromSite = new Set<string>();
  visitor.page.on("response", (response) => {
    const url = new URL(response.url());
    const name = url.pathname.split("/").at(-1) ?? "";
    if (url.searchParams.has("X-Amz-Signature") && response.status() < 300) signed.add(name);
    else if (url.origin === app.url && url.pathname.startsWith("/media/") && response.ok()) {
      fromSite.add(name);
    }
  });
  await visitor.page.goto(`${app.url}/video/long`);
  const video = visitor.page.locator(".player video").first();
  await expect
    .poll(() => video.evaluate((media: HTMLVideoElement) => media.currentSrc), { timeout: 60_000 })
    .toMatch(/^blob:/);
  await waitForPlaying(visitor.page, ".player video");
  await expect
    .poll(() => [...signed].some((name) => /^rung\d\.m4s$|^rung\d\.mp4$/.test(name)), {
      timeout: 30_000,
    })
    .toBe(true);
  expect([...signed].filter((name) => !/\.(mp4|m4s)$/.test(name))).toEqual([]);
  expect([...fromSite].filter((name) => /\.(mp4|m4s)$/.test(name))).toEqual([]);
  await visitor.close();
});
