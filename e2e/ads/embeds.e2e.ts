import type { Frame, Request } from "playwright-core";
import { expect, test } from "vitest";
import { useAdsSite } from "../support/ads-site.ts";
import { adBreak, adVideo } from "../support/ad-break-screen.ts";
import { inlineVast } from "../support/ads-server.ts";
import { serveEmbedHost } from "../support/embed-host.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addClip } from "../support/player-clips.ts";
import { player } from "../support/video-page.ts";

const site = useAdsSite({ title: "Ad", type: "video", placement: "preroll" }, (app) =>
  addClip(app, "long", { title: "The loom", slug: "loom" }),
);
const { app, server, createAd } = site;

const saveSetting = (adsInEmbeds: boolean) =>
  site.admin.call("POST", "/api/settings", { adsInEmbeds });

/** Opens a page of another site with the embed, and presses play in it. */
async function playEmbed(attributes = "") {
  const host = await serveEmbedHost(`${app.url}/embed/loom`, attributes, "");
  const requests: string[] = [];
  site.page.on("request", (request: Request) => requests.push(new URL(request.url()).pathname));
  // Browsers treat another port as the same site, so the host has another name.
  await site.page.goto(host.url.replace("127.0.0.1", "localhost"), { waitUntil: "commit" });
  let frame: Frame | undefined;
  await expect
    .poll(() => (frame = site.page.frames().find((each) => each.url().startsWith(app.url))))
    .toBeDefined();
  if (frame === undefined) throw new Error("no embed");
  await frame.locator(".player-controls").waitFor({ state: "attached" });
  await frame.locator(".player-big-play").click();
  const asksAds = () => requests.some((path) => path.startsWith("/api/spots/"));
  return { frame, asksAds, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

test("plays a pre-roll in an embed on another site, and counts it as verified for embeds", async () => {
  server.documents.set("roll", inlineVast(server, "roll", 12));
  const ad = await createAd({ vastTagUrl: `${server.url}/tag/roll` });
  await createAd({ type: "banner", placement: "header", content: "<p>Banner</p>" });
  await createAd({ type: "popup", placement: "header", content: "<p>Popup</p>" });
  await saveSetting(true);
  await using embed = await playEmbed();
  await waitForPlaying(embed.frame, adVideo);
  expect(embed.asksAds()).toBe(true);
  const link = embed.frame.locator(".embed-link");
  expect(
    await link.evaluate((element) => element.checkVisibility({ visibilityProperty: true })),
  ).toBe(false);
  const stats = async () => (await site.admin.call("GET", `/api/ads/${ad.id}/stats`)).json.origins;
  await expect.poll(stats).toMatchObject([{ viewable: 1 }]);
  await embed.frame.getByRole("button", { name: "Skip Ad" }).click();
  await embed.frame.locator(adBreak).waitFor({ state: "detached" });
  await waitForPlaying(embed.frame, player);
  const counts = { impressions: 1, unverifiedImpressions: 0, viewable: 1, skips: 1 };
  await expect.poll(stats).toMatchObject([{ origin: "embed", ...counts }]);
  expect(await embed.frame.locator(".spot, .spot-popup").count()).toBe(0);
});

test("plays without ads in a sandboxed frame, and while the setting is off", async () => {
  await createAd();
  await saveSetting(true);
  {
    await using sandboxed = await playEmbed(`sandbox="allow-scripts"`);
    await waitForPlaying(sandboxed.frame, player);
    expect(sandboxed.asksAds()).toBe(false);
  }
  await saveSetting(false);
  await using embed = await playEmbed();
  await waitForPlaying(embed.frame, player);
  expect(embed.asksAds()).toBe(false);
});
