import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { createClient, startTestApp, type TestApp } from "../../test/app.ts";
import {
  beaconsOf,
  inlineVast,
  soon,
  startAdServer,
  wrapperVast,
  type AdServer,
} from "../support/ads-server.ts";
import { waitForPlaying, waitForStopped } from "../support/player-browser.ts";
import { launchChromium } from "../../test/harness/chromium.ts";
import { addClip, longDurationS, longestDurationS } from "../support/player-clips.ts";

const midrollS = 40;

let app: TestApp;
let browser: Browser;
let server: AdServer;
let admin: ReturnType<typeof createClient>;
let context: BrowserContext;
let page: Page;
let slug: string;
let longestSlug: string;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  admin = createClient(app.url, await app.signIn());
  [browser, server] = await Promise.all([launchChromium(), startAdServer()]);
  slug = (await addClip(app, "long", { midroll_times: [midrollS] })).slug;
  longestSlug = (await addClip(app, "longest", { title: "The longest" })).slug;
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await app.stop();
});
beforeEach(async () => {
  const { ads } = (await admin.call("GET", "/api/ads")).json;
  for (const { id } of ads) await admin.call("DELETE", `/api/ads/${id}`);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
});
afterEach(() => context.close());

async function create(values: Record<string, unknown>) {
  const answer = await admin.call("POST", "/api/ads", {
    title: "A film",
    type: "video",
    placement: "preroll",
    ...values,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json as { id: string };
}
const totalsOf = async ({ id }: { id: string }) =>
  (await admin.call("GET", `/api/ads/${id}/stats`)).json.totals;

const stage = ".spot-break";
const film = `${stage} video`;
const content = ".player-media";
const skip = () => page.locator(".spot-break-skip");

/** The page plays by itself, and the first play brings the pre-roll. */
async function openVideo(which = slug): Promise<void> {
  // A film under way holds the page's load event back: by then the break may be over.
  await page.goto(`${app.url}/video/${which}`, { waitUntil: "commit" });
  // During a break there are no controls.
  await page.waitForSelector(`.player-controls, [data-bare], ${stage}`, { state: "attached" });
}
const contentState = () =>
  page.evaluate((query) => {
    const video = document.querySelector<HTMLVideoElement>(query);
    return { isPaused: video?.paused ?? true, positionS: video?.currentTime ?? -1 };
  }, content);
const seek = (s: number) =>
  page.evaluate(
    ({ query, s }) => {
      const video = document.querySelector<HTMLVideoElement>(query);
      if (video !== null) video.currentTime = s;
    },
    { query: content, s },
  );

/** A break holds the content: not a frame of it, within a second of where it was to be held. */
async function expectHeldNear(positionS: number): Promise<void> {
  await waitForStopped(page, content);
  const held = await contentState();
  expect(held.isPaused).toBe(true);
  expect(Math.abs(held.positionS - positionS)).toBeLessThanOrEqual(1);
}
const skipAd = () => page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });

describe("breaks of a real video", () => {
  test("before, between and behind, each at its time, and playback goes on after each", async () => {
    const before = await create({ vastTagUrl: `${server.url}/video/12.mp4`, title: "Before" });
    const between = await create({
      placement: "midroll",
      title: "Between",
      imageUrl: `${server.url}/picture.svg`,
      linkUrl: `${server.url}/landing`,
    });
    const behind = await create({
      placement: "postroll",
      title: "Behind",
      content: "<p id='html'>HTML in the break</p>",
    });

    await openVideo();
    await page.locator(`${stage}[data-kind=video]`).waitFor();
    expect(await page.locator(".spot-break-label").innerText()).toMatch(/^Advertisement/);
    await expect.poll(() => skip().innerText(), soon).toMatch(/^Skip in [1-5]s$/);
    expect(await skip().isDisabled()).toBe(true);
    expect(await contentState()).toEqual({ isPaused: true, positionS: 0 });
    await waitForPlaying(page, film);
    await waitForStopped(page, content);
    await skipAd();
    await waitForPlaying(page, content);
    expect(await page.locator(stage).count()).toBe(0);

    await seek(midrollS - 4);
    await waitForPlaying(page, content);
    await page.locator(`${stage}[data-kind=card] img`).waitFor({ timeout: 15_000 });
    await expectHeldNear(midrollS);
    const held = await contentState();
    await skipAd();
    await waitForPlaying(page, content);
    expect((await contentState()).positionS).toBeGreaterThanOrEqual(held.positionS - 0.5);

    await seek(longDurationS - 1.5);
    await page.frameLocator(`${stage} iframe`).locator("#html").waitFor({ timeout: 20_000 });
    await expectHeldNear(longDurationS);
    expect(await page.getByRole("button", { name: "Watch again" }).count()).toBe(0);
    await skipAd();
    await page.locator(stage).waitFor({ state: "detached" });
    const again = page.locator(".player-big-play[aria-label='Watch again']");
    await again.waitFor();
    await expectHeldNear(longDurationS);
    await again.click();
    await waitForPlaying(page, content);
    expect((await contentState()).positionS).toBeLessThan(10);
    expect(await page.locator(stage).count()).toBe(0);

    for (const ad of [before, between, behind]) {
      await expect
        .poll(() => totalsOf(ad), soon)
        .toMatchObject({ impressions: 1, starts: 1, skips: 1 });
    }
  });

  test("the first play brings the pre-roll, no sooner and no second time", async () => {
    const ad = await create({ vastTagUrl: `${server.url}/video/4.mp4` });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openVideo();
    const bigPlay = page.locator(".player-big-play");
    await bigPlay.waitFor();
    await waitForStopped(page, content);
    expect(await page.locator(stage).count()).toBe(0);
    await bigPlay.click();
    await waitForPlaying(page, film);
    await waitForStopped(page, content);
    await page.locator(stage).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    await page.keyboard.press("k");
    await waitForStopped(page, content);
    await page.keyboard.press("k");
    await waitForPlaying(page, content);
    expect(await page.locator(stage).count()).toBe(0);
    await expect
      .poll(() => totalsOf(ad), soon)
      .toMatchObject({ impressions: 1, starts: 1, completes: 1, skips: 0 });
  });

  test("a mid-roll that plays to its end lets the content go on; a jump past it brings none", async () => {
    const ad = await create({ placement: "midroll", vastTagUrl: `${server.url}/video/4.mp4` });
    await openVideo();
    await waitForPlaying(page, content);
    await seek(midrollS + 10);
    await waitForPlaying(page, content);
    expect(await page.locator(stage).count()).toBe(0);
    await seek(midrollS - 3);
    await waitForPlaying(page, film);
    await expectHeldNear(midrollS);
    const held = await contentState();
    await page.locator(stage).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    const { positionS } = await contentState();
    expect(positionS).toBeGreaterThanOrEqual(held.positionS);
    expect(positionS).toBeLessThan(held.positionS + 6);
    // Once is enough.
    await seek(midrollS - 2);
    await expect
      .poll(async () => (await contentState()).positionS, soon)
      .toBeGreaterThan(midrollS + 2);
    await waitForPlaying(page, content);
    await expect
      .poll(() => totalsOf(ad), soon)
      .toMatchObject({ impressions: 1, completes: 1, skips: 0 });
  });

  test("without their configuration mid-rolls come at a quarter, the half and three quarters", async () => {
    await create({ placement: "midroll", vastTagUrl: `${server.url}/video/4.mp4` });
    await page.route("**/midroll", (route) => route.abort());
    await openVideo(longestSlug);
    for (const share of [0.25, 0.5, 0.75]) {
      await waitForPlaying(page, content);
      await seek(longestDurationS * share - 3);
      await page.locator(film).waitFor({ timeout: 15_000 });
      const { isPaused, positionS } = await contentState();
      expect(isPaused).toBe(true);
      expect(Math.abs(positionS - longestDurationS * share)).toBeLessThanOrEqual(1);
      await page.locator(stage).waitFor({ state: "detached" });
    }
    await waitForPlaying(page, content);
  });

  test("another video is another viewing: a break under way ends, and it has a pre-roll of its own", async () => {
    await create({ vastTagUrl: `${server.url}/video/12.mp4` });
    await openVideo();
    await waitForPlaying(page, film);
    await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
    for (const [which, durationS] of [
      [longestSlug, longestDurationS],
      [slug, longDurationS],
    ] as const) {
      await page.locator(`main a[href="/video/${which}"]`).first().click();
      await page.waitForURL(`**/video/${which}`);
      await page.locator(stage).waitFor();
      await waitForPlaying(page, film);
      await expect.poll(() => page.locator("video").count()).toBe(2);
      expect(await contentState()).toEqual({ isPaused: true, positionS: 0 });
      await waitForStopped(page, content);
      await skipAd();
      await waitForPlaying(page, content);
      expect((await contentState()).positionS).toBeLessThan(10);
      const lengthS = (video: HTMLVideoElement) => video.duration;
      expect(await page.locator(content).first().evaluate(lengthS)).toBeCloseTo(durationS, 0);
    }
    expect(await page.locator("body[data-same-page]").count()).toBe(1);
  });

  test("which of several ads comes is left to chance, out of at most three", async () => {
    const names = ["One", "Two", "Three"];
    for (const title of names) await create({ title, linkUrl: `${server.url}/landing` });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/spots/public")) asked.push(request.url());
    });
    const seen = new Set<string>();
    for (let visit = 0; visit < 12 && seen.size < 2; visit += 1) {
      await openVideo();
      seen.add(await page.locator(`${stage}[data-kind=card] .spot-break-title`).innerText());
    }
    expect(seen.size).toBe(2);
    expect([...seen].every((title) => names.includes(title))).toBe(true);
    const { searchParams } = new URL(asked[0] ?? "");
    expect([searchParams.get("placement"), searchParams.get("limit")]).toEqual(["preroll", "3"]);
  });

  test("its 5 s are counted down to Skip Ad, and after 15 s a longer film is cut off", async () => {
    const ad = await create({ vastTagUrl: `${server.url}/video/30.mp4` });
    await page.addInitScript(() => {
      const labels: string[] = [];
      Reflect.set(window, "seen", { labels, lastS: 0 });
      const look = () => {
        const label = document.querySelector(".spot-break-skip")?.textContent ?? "";
        if (label !== "" && label !== labels.at(-1)) labels.push(label);
        const positionS =
          document.querySelector<HTMLVideoElement>(".spot-break video")?.currentTime;
        if (positionS !== undefined) Reflect.get(window, "seen").lastS = positionS;
        requestAnimationFrame(look);
      };
      look();
    });
    await openVideo();
    await waitForPlaying(page, film);
    await page.locator(stage).waitFor({ state: "detached", timeout: 25_000 });
    await waitForPlaying(page, content);
    const { labels, lastS } = await page.evaluate(() => Reflect.get(window, "seen"));
    const counted = [5, 4, 3, 2, 1].map((seconds) => `Skip in ${seconds}s`);
    expect(labels).toEqual([...counted, "Skip Ad"]);
    // The film runs no faster than the clock.
    expect(lastS).toBeGreaterThan(5);
    expect(lastS).toBeLessThan(16);
    await expect.poll(() => totalsOf(ad), soon).toMatchObject({ impressions: 1, skips: 0 });
  });

  test("an ad that cannot be counted is shown all the same, and the content follows", async () => {
    const ad = await create({ vastTagUrl: `${server.url}/video/4.mp4`, linkUrl: server.url });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    const logged: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "warning") logged.push(message.text());
    });
    await page.route(`**/api/spots/${ad.id}/**`, (route) => route.abort());
    await openVideo();
    await waitForPlaying(page, film);
    const [landing] = await Promise.all([
      context.waitForEvent("page"),
      page.locator(".spot-break-visit").click(),
    ]);
    await landing.close();
    await page.locator(stage).waitFor({ state: "detached" });
    await waitForPlaying(page, content);
    expect(logged.filter((text) => text.includes("an ad's event was not counted"))).not.toEqual([]);
    expect(problems).toEqual([]);
    expect(await totalsOf(ad)).toMatchObject({ impressions: 0, clicks: 0 });
  });

  test("an ad of words ends by itself after 15 s, and that is complete", async () => {
    const ad = await create({ title: "Only words", description: "And a line" });
    await openVideo();
    await page.locator(".spot-break-title", { hasText: "Only words" }).waitFor();
    expect(await page.locator(".spot-break-text").innerText()).toBe("And a line");
    await waitForStopped(page, content);
    await page.locator(stage).waitFor({ state: "detached", timeout: 25_000 });
    await waitForPlaying(page, content);
    await expect
      .poll(() => totalsOf(ad), soon)
      .toMatchObject({ impressions: 1, completes: 1, skips: 0 });
  });

  test("a link opens a tab of its own and counts; the sound chosen in the ad is kept", async () => {
    const ad = await create({
      vastTagUrl: `${server.url}/video/12.mp4`,
      linkUrl: `${server.url}/landing`,
    });
    await openVideo();
    const isMuted = (query: string) =>
      page.locator(query).evaluate((video: HTMLVideoElement) => video.muted);
    await page.locator(`${stage} video`).waitFor();
    await waitForPlaying(page, `${stage} video`);
    // Whether a page may begin with sound is the browser's choice; the press asks for the other.
    const wasMuted = await isMuted(`${stage} video`);
    await page.locator(".spot-break-sound").click();
    await expect.poll(() => isMuted(`${stage} video`), soon).toBe(!wasMuted);
    const [landing] = await Promise.all([
      context.waitForEvent("page"),
      page.locator(".spot-break-visit").click(),
    ]);
    await landing.waitForLoadState();
    expect(await landing.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
    await landing.close();
    await expect.poll(async () => (await totalsOf(ad)).clicks, soon).toBe(1);
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await waitForPlaying(page, content);
    expect(await isMuted(content)).toBe(!wasMuted);
  });
});

describe("VAST", () => {
  test("a wrapped film plays to its end: every beacon of both levels once, in order", async () => {
    server.documents.set("inner", inlineVast(server, "whole", 4));
    server.documents.set("outer", wrapperVast(server, "outer", `${server.url}/tag/inner`));
    const ad = await create({ vastTagUrl: `${server.url}/tag/outer` });
    await openVideo();
    await waitForPlaying(page, film);
    await page.locator(stage).waitFor({ state: "detached", timeout: 20_000 });
    await waitForPlaying(page, content);
    await expect.poll(() => beaconsOf(server, "whole"), soon).toHaveLength(6);
    expect(beaconsOf(server, "whole")).toEqual([
      "impression",
      "start",
      "firstQuartile",
      "midpoint",
      "thirdQuartile",
      "complete",
    ]);
    expect(beaconsOf(server, "outer")).toEqual(["impression", "complete"]);
    expect(server.requests.find((url) => url.startsWith("/beacon/whole/impression"))).toMatch(
      /cb=\d{8}$/,
    );
    await expect
      .poll(() => totalsOf(ad), soon)
      .toMatchObject({
        impressions: 1,
        starts: 1,
        firstQuartiles: 1,
        midpoints: 1,
        thirdQuartiles: 1,
        completes: 1,
      });
  });

  test("the ad's own skip offset rules, and a skip is told as one", async () => {
    const document = inlineVast(server, "skipped", 8).replace(
      "<Linear>",
      '<Linear skipoffset="00:00:01">',
    );
    server.documents.set("skippable", document);
    await create({ vastTagUrl: `${server.url}/tag/skippable` });
    await openVideo();
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await waitForPlaying(page, content);
    await expect.poll(() => beaconsOf(server, "skipped"), soon).toContain("skip");
    expect(beaconsOf(server, "skipped")).not.toContain("complete");
  });

  test("where another origin may not read the tag, our server fetches it", async () => {
    server.documents.set("kept", inlineVast(server, "proxied", 4));
    const tag = `${server.url}/closed/kept`;
    const ad = await create({ vastTagUrl: tag });
    // The server itself refuses loopback addresses: here it stands in for one on the internet.
    await page.route(`**/api/spots/${ad.id}/documents`, (route) =>
      route.fulfill({
        json: {
          documents: [
            {
              url: tag,
              redirects: 0,
              text: server.documents.get("kept"),
              problem: null,
              status: 200,
            },
          ],
        },
      }),
    );
    await openVideo();
    await page.locator(`${stage} video`).waitFor();
    await expect.poll(() => beaconsOf(server, "proxied"), soon).toContain("impression");
  });

  test("the server refuses to fetch what is not the public internet", async () => {
    const ad = await create({ vastTagUrl: `${server.url}/closed/kept` });
    const asked = server.requests.length;
    const { json } = await admin.call("GET", `/api/spots/${ad.id}/documents`);
    expect(json.documents).toMatchObject([{ text: null, problem: "refused" }]);
    expect(server.requests).toHaveLength(asked);
  });

  test("a tag that fails is told so, and the next ad takes its place", async () => {
    server.documents.set("nothing", wrapperVast(server, "broken", `${server.url}/tag/absent`));
    const broken = await create({ vastTagUrl: `${server.url}/tag/nothing`, weight: 1000 });
    await create({ vastTagUrl: `${server.url}/video/12.mp4`, title: "Second" });
    // By its weight the broken one comes first, whatever the order of the answer.
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await openVideo();
    await page.locator(`${stage} video`).waitFor();
    await expect.poll(() => beaconsOf(server, "broken"), soon).toEqual(["error-301"]);
    await expect.poll(() => totalsOf(broken), soon).toMatchObject({ impressions: 0, errors: 1 });
  });
});

describe("a dead ad server", () => {
  /** Time from the visit's beginning to the moving picture, by the page's own clock. */
  async function delayMs(): Promise<number> {
    await openVideo();
    await page.waitForFunction(
      (query) => (document.querySelector<HTMLVideoElement>(query)?.currentTime ?? 0) > 0,
      content,
      { polling: 50, timeout: 15_000 },
    );
    const atMs = await page.evaluate(() => performance.now());
    await waitForPlaying(page, content);
    return atMs;
  }
  // What a busy machine adds to the promised three seconds.
  const slackMs = 2500;

  test.each([
    ["never answers for the tag", "/silent/tag"],
    ["never answers for the film", "/silent/film.mp4"],
  ])("that %s does not hold the content longer than 3 s", async (_name, path) => {
    await create({ vastTagUrl: `${server.url}${path}` });
    expect(await delayMs()).toBeLessThan(limits.adFirstFrameMs + slackMs);
    expect(await page.locator(stage).count()).toBe(0);
  });

  test.each([
    ["refuses connections", "http://127.0.0.1:9/tag.xml"],
    ["has no such tag", "TAG/absent"],
  ])("that %s does not hold it at all", async (_name, url) => {
    await create({ vastTagUrl: url.replace("TAG", `${server.url}/tag`) });
    expect(await delayMs()).toBeLessThan(slackMs);
  });

  test("a film that no browser plays says so, and the content follows", async () => {
    // An address of a film behind which stands a picture.
    const ad = await create({ vastTagUrl: `${server.url}/picture/a.mp4` });
    await openVideo();
    await page.getByText("Your browser does not support video ads").waitFor();
    await waitForPlaying(page, content);
    await expect.poll(() => totalsOf(ad), soon).toMatchObject({ impressions: 0, errors: 1 });
  });

  test("a blocked call for ads leaves the content alone", async () => {
    await create({ vastTagUrl: `${server.url}/video/12.mp4` });
    await page.route("**/api/spots/**", (route) => route.abort());
    expect(await delayMs()).toBeLessThan(slackMs);
  });
});
