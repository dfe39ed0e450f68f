import { readFile } from "node:fs/promises";
import type { Frame } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openVisitor, provoked } from "../support/browser.ts";
import { embedHostResult, serveEmbedHost } from "../support/embed-host.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addClip, longDurationS } from "../support/player-clips.ts";
import { usePages } from "../support/shared-site.ts";
import { player } from "../support/video-page.ts";

/** The embed in a frame of another site. Other engines run the player.js test of `engines`. */

const app = usePages();
beforeAll(() => addClip(app, "long", { title: "The loom", slug: "loom" }));

/** Opens a page of another origin that contains the embed. */
async function openHost(path: string, attributes = "", script?: string) {
  const host = await serveEmbedHost(app.url + path, attributes, script);
  const visitor = await openVisitor(host.url, {
    expectProblems: new RegExp(`${provoked.source}|CORS policy|postMessage`),
  });
  const { page } = visitor;
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  await page.goto("/");
  let frame: Frame | undefined;
  await expect
    .poll(() => (frame = page.frames().find((each) => each.url().startsWith(app.url))))
    .toBeDefined();
  if (frame === undefined) throw new Error("no embed");
  return { page, frame, logged, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

test("plays by HLS in a sandboxed frame without an origin, cookies and storage", async () => {
  await using host = await openHost("/embed/loom", `sandbox="allow-scripts"`);
  const { frame } = host;
  expect(await frame.evaluate(() => window.origin)).toBe("null");
  await frame.locator(".player-controls").waitFor({ state: "attached" });
  await frame.locator(".player-big-play").click();
  const source = () =>
    frame.evaluate((css) => document.querySelector<HTMLVideoElement>(css)?.currentSrc, player);
  await expect.poll(source).toMatch(/^blob:/);
  await waitForPlaying(frame, player);
});

test("obeys player.js on a page of another origin", async () => {
  await using host = await openHost("/embed/loom");
  const { page } = host;
  const result = () => page.evaluate<unknown>(() => Reflect.get(window, "result"));
  await expect.poll(result).toEqual(embedHostResult(longDurationS));
});

test("follows the parameters of its address", async () => {
  await using host = await openHost("/embed/loom?t=30&end=32&muted=1&autoplay=1&controls=0");
  const { frame } = host;
  const media = () =>
    frame.evaluate((css) => {
      const media = document.querySelector<HTMLVideoElement>(css);
      const positionS = media?.currentTime ?? 0;
      return {
        isAtEnd: positionS >= 32 && positionS < 34,
        isPaused: media?.paused,
        isMuted: media?.muted,
      };
    }, player);
  await expect.poll(media).toEqual({ isAtEnd: true, isPaused: true, isMuted: true });
  await frame.locator(".player-bar").waitFor({ state: "hidden" });
  const tap = { pointerType: "touch", button: 0 };
  for (const name of ["pointerdown", "pointerup"]) {
    await frame.locator(".player-touch").dispatchEvent(name, tap);
  }
  await expect.poll(media).toMatchObject({ isPaused: false });
});

test("runs the script of docs/embedding.md", async () => {
  const guide = await readFile("docs/embedding.md", "utf8");
  const script = /<script>\n([^`]+?)<\/script>/.exec(guide)?.[1] ?? "";
  await using host = await openHost("/embed/loom", "", script);
  // `getDuration` logs the duration, and `timeupdate` the position and the duration.
  const lines = () => host.logged.map((line) => line.split(" ").map(Number).map(Math.round));
  await expect.poll(lines).toContainEqual([longDurationS]);
  await expect.poll(lines).toContainEqual([1, longDurationS]);
});

test("previews the embed in the share dialog", async () => {
  const { page } = await openVisitor(app.url, { expectProblems: provoked });
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "share", { value: undefined, configurable: true }),
  );
  await page.goto("/video/loom");
  await page.locator(".player-controls").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: "Preview" }).click();
  const preview = dialog.frameLocator("iframe");
  await preview.locator(".player-big-play").waitFor();
});
