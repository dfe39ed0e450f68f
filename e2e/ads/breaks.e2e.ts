import type { BrowserContext, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import {
  adBreak,
  adVideo,
  content,
  isMuted,
  openWithAds,
  openWithPreroll,
  skipAd,
} from "../support/ad-break-screen.ts";
import { useAdsSite } from "../support/ads-site.ts";
import { beaconsOf, expectWholeAd, inlineVast, podVast } from "../support/ads-server.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addClip } from "../support/player-clips.ts";

let context: BrowserContext;
let page: Page;
let slug: string;
let shortSlug: string;

const site = useAdsSite(
  { title: "A video", type: "video", placement: "preroll", ignoresBreakRules: true },
  async (filled) => {
    slug = (await addClip(filled, "long", { midroll_times: [50] })).slug;
    shortSlug = (await addClip(filled, "wide-0")).slug;
  },
);
const { app, server, createAd, totalsOf } = site;
beforeEach(() => {
  ({ context, page } = site);
});

const open = (which = slug) => openWithPreroll(page, `${app.url}/video/${which}`);

test("plays the ads of a pod in sequence while they fit, and reports each to its network", async () => {
  await site.admin.call("POST", "/api/settings", { podMaxS: 20 });
  const names = ["pod-1", "pod-2", "pod-3"];
  const long = inlineVast(server, "pod-4", 2).replace("00:00:02", "00:00:30");
  const document = podVast([...names.map((name) => inlineVast(server, name, 2)), long]);
  server.documents.set("pod", document);
  const ad = await createAd({ vastTagUrl: `${server.url}/tag/pod` });
  await open();
  await waitForPlaying(page, content);
  await site.admin.call("POST", "/api/settings", { podMaxS: 30 });
  for (const name of names) {
    await expectWholeAd(server, name);
  }
  const order = server.requests.filter((url) => /^\/beacon\/pod-.*\/impression/.test(url));
  expect(order.map((url) => url.split("/")[2])).toEqual(names);
  expect(beaconsOf(server, "pod-4")).toEqual([]);
  await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 1, completes: 1 });
});

test("counts a click on the second ad of a pod, here and at its network", async () => {
  server.documents.set(
    "clicked",
    podVast([inlineVast(server, "clicked-1", 2), inlineVast(server, "clicked-2", 12)]),
  );
  const ad = await createAd({ vastTagUrl: `${server.url}/tag/clicked` });
  await open();
  await waitForPlaying(page, `${adVideo}[src*="/12.mp4"]`);
  const [landing] = await Promise.all([
    context.waitForEvent("page"),
    page.locator(".spot-break-visit").click(),
  ]);
  await landing.close();
  await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 1, clicks: 1, completes: 1 });
  await expect.poll(() => beaconsOf(server, "clicked-2")).toContain("click");
  expect(beaconsOf(server, "clicked-1")).not.toContain("click");
});

test("fills the slots with a video ad's companions while it plays, then with their own ads", async () => {
  const at = (name: string) =>
    `<![CDATA[${server.url}/beacon/companion/${name}?cb=[CACHEBUSTING]]]>`;
  const view = (name: string) =>
    `<TrackingEvents><Tracking event="creativeView">${at(name)}</Tracking></TrackingEvents>`;
  const companions = `<Creative><CompanionAds>
    <Companion width="2000" height="90"><StaticResource creativeType="image/svg+xml">${server.url}/picture.svg?large</StaticResource>${view("large")}</Companion>
    <Companion width="728" height="90"><StaticResource creativeType="image/svg+xml">${server.url}/picture.svg?fits</StaticResource>
      <AltText>The companion</AltText>${view("picture")}
      <CompanionClickThrough>${server.url}/landing?companion</CompanionClickThrough>
      <CompanionClickTracking>${at("click")}</CompanionClickTracking></Companion>
    <Companion width="240" height="200"><HTMLResource><![CDATA[<p id="inside">Beside</p><script>document.getElementById("inside").textContent += " the video"</script>]]></HTMLResource>${view("html")}</Companion>
    </CompanionAds></Creative></Creatives>`;
  server.documents.set(
    "companions",
    inlineVast(server, "linear", 12, "00:00:01").replace("</Creatives>", companions),
  );
  const own = { type: "banner", imageUrl: null, vastTagUrl: null };
  await createAd({ ...own, placement: "header", title: "Own header" });
  await createAd({ ...own, placement: "sidebar", title: "Own sidebar" });
  await createAd({ vastTagUrl: `${server.url}/tag/companions` });
  await open();

  const picture = page
    .locator("[data-slot=header] a")
    .filter({ has: page.getByAltText("The companion") });
  await picture.waitFor();
  await page.frameLocator("[data-slot=sidebar] iframe").getByText("Beside the video").waitFor();
  const own1 = page.getByText("Own header");
  const own2 = page.getByText("Own sidebar");
  await expect
    .poll(() => Promise.all([own1.isVisible(), own2.isVisible()]))
    .toEqual([false, false]);
  const [landing] = await Promise.all([context.waitForEvent("page"), picture.click()]);
  await landing.close();
  await skipAd(page);
  await own1.waitFor();
  await own2.waitFor();
  await expect.poll(() => picture.count()).toBe(0);
  await expect
    .poll(() => beaconsOf(server, "companion").toSorted())
    .toEqual(["click", "html", "picture"]);
});

test("plays a document in UTF-16 and runs its HTML icon in a sandbox", async () => {
  const at = (name: string) => `<![CDATA[${server.url}/beacon/icon/${name}]]>`;
  const icons = `<Icons><Icon program="Choices" width="90" height="24">
    <HTMLResource><![CDATA[<a id="why" href="${server.url}/landing?icon">Why</a><script>
      let found = "nothing";
      try { found = parent.parent.document.title } catch { found = "sealed" }
      document.getElementById("why").textContent += " " + found</script>]]></HTMLResource>
    <IconClicks><IconClickTracking>${at("click")}</IconClickTracking></IconClicks>
    <IconViewTracking>${at("view")}</IconViewTracking></Icon></Icons>`;
  const document = inlineVast(server, "wide", 12, "00:00:01").replace(
    "<MediaFiles>",
    `${icons}<MediaFiles>`,
  );
  server.documents.set("wide", Buffer.from(`\ufeff${document}`, "utf16le"));
  await createAd({ vastTagUrl: `${server.url}/tag/wide` });
  await open();
  const link = page.frameLocator(".spot-break-icons iframe").getByText("Why sealed");
  await link.waitFor();
  await expect.poll(() => beaconsOf(server, "icon")).toEqual(["view"]);
  const [landing] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await landing.close();
  await skipAd(page);
  await expect.poll(() => page.locator(".spot-break-icons").count()).toBe(0);
});

test("plays a video ad without sound before a gesture, but not the content", async () => {
  // The browser treats every call by a test as a user gesture.
  await page.addInitScript(() => {
    let hasBeenActive = false;
    window.addEventListener("pointerdown", () => (hasBeenActive = true), { capture: true });
    Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive }) });
  });
  await createAd({ vastTagUrl: `${server.url}/video/12.mp4` });
  await open();
  await waitForPlaying(page, adVideo);
  await expect.poll(() => isMuted(page, adVideo)).toBe(true);
  await page.getByRole("button", { name: "Unmute" }).click();
  await expect.poll(() => isMuted(page, adVideo)).toBe(false);
  await skipAd(page);
  await waitForPlaying(page, content);
  await expect.poll(() => isMuted(page, content)).toBe(false);
});

test("starts no video ad and no animation under reduced motion", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await createAd({ vastTagUrl: `${server.url}/video/2.mp4` });
  await createAd({
    type: "banner",
    placement: "header",
    vastTagUrl: null,
    content: `<style>@keyframes turn { to { rotate: 1turn } } #turning { animation: turn 2s infinite }</style>
      <p id="turning">Turning</p>`,
  });
  await openWithAds(page, `${app.url}/video/${slug}`);
  const turning = page
    .frameLocator("[data-slot=header] iframe")
    .frameLocator("iframe")
    .locator("#turning");
  await turning.waitFor();
  const times = () =>
    turning.evaluate((element) => getComputedStyle(element).animationIterationCount);
  await expect.poll(times).toBe("1");
  await page.locator(".player-big-play").waitFor();
  await expect.poll(() => page.locator(adBreak).count()).toBe(0);
  await page.locator(".player-big-play").click();
  await waitForPlaying(page, adVideo);
});

test("shows a bumper before a short video, without a skip button, for at most 6 s", async () => {
  await site.admin.call("POST", "/api/settings", { prerollMinVideoS: 30 });
  const bumper = { ignoresBreakRules: false, isBumper: true };
  server.documents.set("bumper", inlineVast(server, "bumper", 12));
  const ad = await createAd({ ...bumper, vastTagUrl: `${server.url}/tag/bumper` });
  await createAd({ ignoresBreakRules: false, title: "For long videos", weight: 1000 });
  await open(shortSlug);
  await waitForPlaying(page, adVideo);
  await expect.poll(() => page.locator(".spot-break-skip").count()).toBe(0);
  await page.locator(adBreak).waitFor({ state: "detached" });
  await waitForPlaying(page, content);
  await expect.poll(() => totalsOf(ad)).toMatchObject({ impressions: 1, completes: 0, skips: 0 });
  await site.admin.call("POST", "/api/settings", { prerollMinVideoS: 0 });
});

test("starts with the pre-roll if play was pressed before the scripts had loaded", async () => {
  await createAd({ vastTagUrl: `${server.url}/video/8.mp4` });
  await page.emulateMedia({ reducedMotion: "reduce" });
  // A busy machine may miss the break, because the video waits for an ad for only three seconds.
  const hasBreak = async () => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto(`${app.url}/video/${slug}`, { waitUntil: "commit" });
    await page.locator(".player-first-play").click();
    scripts.resolve();
    const first = page.locator(`${adBreak}, .player-controls:visible`).first();
    await first.waitFor();
    await page.unrouteAll();
    return page.locator(adBreak).isVisible();
  };
  await expect.poll(hasBreak).toBe(true);
});
