import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import {
  adBreak,
  adVideo,
  content,
  contentState,
  isHeldNear,
  openWithPreroll,
  seek,
} from "../support/ad-break-screen.ts";
import { useAdsSite } from "../support/ads-site.ts";
import { beaconsOf, inlineVast } from "../support/ads-server.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addClip, longDurationS } from "../support/player-clips.ts";

let page: Page;
let slug: string;

const site = useAdsSite(
  { title: "A video", type: "video", placement: "preroll", ignoresBreakRules: true },
  async (filled) => {
    slug = (await addClip(filled, "long", { midroll_times: [50] })).slug;
  },
);
const { app, server, createAd, totalsOf } = site;
beforeEach(() => {
  ({ page } = site);
});

const positionS = async () => (await contentState(page)).positionS;

test("plays the breaks of a VMAP document instead of the site's", async () => {
  const at = (name: string) => `<![CDATA[${server.url}/beacon/${name}]]>`;
  const adBreakOf = (name: string, timeOffset: string, source: string) => `
    <vmap:AdBreak timeOffset="${timeOffset}" breakType="linear" breakId="${name}">
      <vmap:AdSource>${source}</vmap:AdSource>
      <vmap:TrackingEvents>${["breakStart", "breakEnd"]
        .map(
          (event) =>
            `<vmap:Tracking event="${event}">${at(`break/${name}-${event}`)}</vmap:Tracking>`,
        )
        .join("")}<vmap:Tracking event="error">${at(`error/${name}-[ERROR_CODE]`)}</vmap:Tracking>
      </vmap:TrackingEvents></vmap:AdBreak>`;
  const inline = (name: string) =>
    `<vmap:VASTAdData>${inlineVast(server, name, 2)}</vmap:VASTAdData>`;
  const tag = (path: string) =>
    `<vmap:AdTagURI templateType="vast3"><![CDATA[${server.url}/tag/${path}]]></vmap:AdTagURI>`;
  server.documents.set("planned-2", inlineVast(server, "planned-2", 2));
  server.documents.set("planned-3", inlineVast(server, "planned-3", 2));
  const breaks = [
    adBreakOf("first", "start", inline("planned-1")),
    adBreakOf("second", "00:00:30", tag("planned-2")),
    adBreakOf("third", "end", tag("planned-3")),
    adBreakOf("lost", "start", tag("absent")),
  ];
  server.documents.set(
    "vmap",
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join("")}</vmap:VMAP>`,
  );
  const ad = await createAd({ vastTagUrl: `${server.url}/tag/vmap` });
  const other = await createAd({ placement: "midroll", title: "Of the site" });

  await openWithPreroll(page, `${app.url}/video/${slug}`);
  await waitForPlaying(page, adVideo);
  await page.locator(adBreak).waitFor({ state: "detached" });
  await waitForPlaying(page, content);
  await seek(page, 27);
  await waitForPlaying(page, adVideo);
  await expect.poll(() => contentState(page)).toSatisfy(isHeldNear(30));
  await page.locator(adBreak).waitFor({ state: "detached" });
  await waitForPlaying(page, content);
  // This is a break of the site.
  await seek(page, 48);
  await expect.poll(positionS).toBeGreaterThan(51.5);
  await expect.poll(() => page.locator(adBreak).count()).toBe(0);
  await seek(page, longDurationS - 1.5);
  await waitForPlaying(page, adVideo);
  await page.locator(adBreak).waitFor({ state: "detached" });

  for (const name of ["planned-1", "planned-2", "planned-3"]) {
    await expect.poll(() => beaconsOf(server, name)).toHaveLength(6);
  }
  const events = ["first", "second", "third"].flatMap((name) => [
    `${name}-breakStart`,
    `${name}-breakEnd`,
  ]);
  await expect.poll(() => beaconsOf(server, "break")).toEqual(events);
  await expect.poll(() => beaconsOf(server, "error")).toEqual(["lost-1008"]);
  await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 3, completes: 3 });
  await expect.poll(() => totalsOf(other)).toMatchObject({ impressions: 0, starts: 0 });
});
