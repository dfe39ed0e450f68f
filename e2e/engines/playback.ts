import { expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { embedHostResult, serveEmbedHost } from "../support/embed-host.ts";
import { longDurationS } from "../support/player-clips.ts";
import type { EnginePage } from "./support/engine-page.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { retry } from "./support/in-page.ts";
import {
  seek,
  video,
  waitFor,
  waitForHydration,
  waitForPlaying,
  waitForText,
} from "./support/screen.ts";

export function testPlayback(site: EngineSite): void {
  it("plays a video by HLS, seeks in it and shows its captions", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    // The progressive file hands over to the ladder.
    await waitFor(
      page,
      (css) => document.querySelector<HTMLVideoElement>(css)?.currentSrc.startsWith("blob:"),
      video,
    );
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, 40);
    const at = await waitFor(
      page,
      (css) => {
        const media = document.querySelector<HTMLVideoElement>(css);
        return media !== null && media.currentTime > 40.3 ? media.currentTime : null;
      },
      video,
    );
    expect(at).toBeLessThan(60);
    await page.press("c");
    await waitForText(page, ".player-captions p", "Look up");
    await page.click({ css: ".player button", name: "Settings" });
    const bar = await waitFor(page, () => {
      const menu = document.querySelector("[role=menu]");
      // WebKit before 26 lacks the property.
      return menu === null ? null : (getComputedStyle(menu).scrollbarColor ?? "none");
    });
    expect(bar).not.toBe("auto");
  });

  it("obeys player.js on a page of another origin", () => testEmbedHost(site));

  it("plays in a sandboxed frame of another origin", () => testSandboxedEmbed(site));

  it("fills the screen by key, and returns", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await fillScreen(page, true);
    await waitForPlaying(page, video);
    await fillScreen(page, false);
    await waitForPlaying(page, video);
  });
}

/** The other page plays, seeks, and asks. The video is the long one. */
async function testEmbedHost(site: EngineSite): Promise<void> {
  await using host = await serveEmbedHost(`${site.app.url}/embed/northern-lights`);
  const page = await site.open("/embed/northern-lights");
  await page.goto(host.url);
  const result = await waitFor(page, () => Reflect.get(window, "result"));
  expect(result).toEqual(embedHostResult(longDurationS));
}

/** Plays in a sandboxed frame, and shows the host the position. */
const sandboxScript = `
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  const { event, value } = JSON.parse(data);
  const request = { context: "player.js", method: "addEventListener", value: "timeupdate" };
  if (event === "ready") source.postMessage(request, "*");
  if (event === "timeupdate" && value.seconds > 0) window.result = "plays";
});
`;

async function testSandboxedEmbed(site: EngineSite): Promise<void> {
  const owner = createClient(site.app.url, await site.app.signIn("OWNER"));
  const setSiteUrl = async (siteUrl: string) =>
    expect((await owner.call("POST", "/api/settings", { siteUrl })).status).toBe(200);
  const address = `${site.app.url}/embed/northern-lights?autoplay=1&muted=1`;
  await using host = await serveEmbedHost(address, 'sandbox="allow-scripts"', sandboxScript);
  // WebKit loads the frame's scripts only if the policy lists the site's address.
  await setSiteUrl(site.app.url);
  try {
    const page = await site.open("/embed/northern-lights");
    await page.goto(host.url);
    expect(await waitFor(page, () => Reflect.get(window, "result"))).toBe("plays");
  } finally {
    await setSiteUrl("");
  }
}

/** Presses F, and again if nothing happens: WebKit ignores a request during its own animation. */
async function fillScreen(page: EnginePage, isWanted: boolean): Promise<void> {
  let pressedAt = -Infinity;
  await retry(
    async () => {
      const isFull = await page.evaluate(
        () => document.fullscreenElement?.querySelector("video") != null,
      );
      if (isFull === isWanted) return true;
      if (performance.now() - pressedAt < 5000) return false;
      pressedAt = performance.now();
      await page.press("f");
      return false;
    },
    async () => `${page.engine}: full screen isn't ${isWanted}`,
  );
}
