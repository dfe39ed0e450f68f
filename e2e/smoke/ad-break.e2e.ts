import { expect, test } from "vitest";
import {
  adBreak,
  adVideo,
  content,
  contentState,
  isHeldNear,
  openWithPreroll,
  seek,
  skipAd,
} from "../support/ad-break-screen.ts";
import { beaconsOf, inlineVast } from "../support/ads-server.ts";
import { useAdsSite } from "../support/ads-site.ts";
import { waitForPlaying, waitForStopped } from "../support/playback.ts";
import { addClip, longDurationS } from "../support/player-clips.ts";

const midrollS = 40;

let slug: string;
const site = useAdsSite(
  // The test shows several ads within the minimum time between ad breaks.
  { title: "A video", type: "video", placement: "preroll", ignoresBreakRules: true },
  async (app) => {
    slug = (await addClip(app, "long", { midroll_times: [midrollS] })).slug;
  },
);

test("plays pre-roll, mid-roll and post-roll at their times and resumes after each", async () => {
  const { app, page, server, createAd, totalsOf } = site;
  const skip = page.locator(".spot-break-skip");
  const positionS = async () => (await contentState(page)).positionS;
  /** Expects that an ad break has paused the content within a second of its time. */
  const expectHeldNear = async (atS: number) => {
    await waitForStopped(page, content);
    await expect.poll(() => contentState(page)).toSatisfy(isHeldNear(atS));
  };
  server.documents.set("before", inlineVast(server, "before", 12, "00:00:01"));
  const before = await createAd({ vastTagUrl: `${server.url}/tag/before` });
  const between = await createAd({
    placement: "midroll",
    title: "Between",
    imageUrl: `${server.url}/picture.svg`,
    linkUrl: `${server.url}/landing`,
  });
  const behind = await createAd({
    placement: "postroll",
    title: "Behind",
    content: "<p id='html'>HTML in the break</p>",
    linkUrl: `${server.url}/landing`,
  });

  await openWithPreroll(page, `${app.url}/video/${slug}`);
  await page.locator(`${adBreak}[data-kind=video]`).waitFor();
  await expect.poll(() => page.locator(".spot-break-label").innerText()).toMatch(/^Advertisement/);
  await expect.poll(() => contentState(page)).toEqual({ isPaused: true, positionS: 0 });
  await waitForPlaying(page, adVideo);
  await waitForStopped(page, content);
  await skipAd(page);
  await waitForPlaying(page, content);
  await expect.poll(() => page.locator(adBreak).count()).toBe(0);

  await seek(page, midrollS - 3);
  await waitForPlaying(page, content);
  await page.locator(`${adBreak}[data-kind=card] img`).waitFor();
  await expect.poll(() => skip.innerText()).toMatch(/^Skip in [1-5]s$/);
  await expect.poll(() => skip.isDisabled()).toBe(true);
  await expectHeldNear(midrollS);
  const heldS = await positionS();
  await skipAd(page);
  await waitForPlaying(page, content);
  await expect.poll(positionS).toBeGreaterThanOrEqual(heldS - 0.5);

  await seek(page, longDurationS - 1.5);
  await page.frameLocator(`${adBreak} iframe`).frameLocator("iframe").locator("#html").waitFor();
  await expectHeldNear(longDurationS);
  await expect.poll(() => page.getByRole("button", { name: "Watch again" }).count()).toBe(0);
  await skipAd(page);
  await page.locator(adBreak).waitFor({ state: "detached" });
  const again = page.locator(".player-big-play[aria-label='Watch again']");
  await again.waitFor();
  await expectHeldNear(longDurationS);
  await again.click();
  await waitForPlaying(page, content);
  await expect.poll(positionS).toBeLessThan(10);
  await expect.poll(() => page.locator(adBreak).count()).toBe(0);

  for (const ad of [before, between, behind]) {
    await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 1, starts: 1, skips: 1 });
  }
  await expect.poll(() => beaconsOf(server, "before")).toContain("skip");
  expect(beaconsOf(server, "before")).not.toContain("complete");
});
