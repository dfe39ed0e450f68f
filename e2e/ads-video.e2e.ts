import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limits } from "../src/contract/limits.ts";
import { createClient, startTestApp, type TestApp } from "../test/app.ts";
import {
  beaconsOf,
  inlineVast,
  soon,
  startAdServer,
  wrapperVast,
  type AdServer,
} from "./ads-server.ts";
import { launchBrowser, waitForPlaying } from "./player-browser.ts";
import { addClip, longDurationS } from "./player-clips.ts";

const midrollS = 40;

let app: TestApp;
let browser: Browser;
let server: AdServer;
let admin: ReturnType<typeof createClient>;
let context: BrowserContext;
let page: Page;
let slug: string;

beforeAll(async () => {
  app = await startTestApp({ pages: true });
  admin = createClient(app.url, await app.signIn());
  [browser, server] = await Promise.all([launchBrowser(), startAdServer()]);
  slug = (await addClip(app, "long", { midroll_times: [midrollS] })).slug;
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
const content = ".player-media";
const skip = () => page.locator(".spot-break-skip");

/** The page plays by itself, and the first play brings the pre-roll. */
async function openVideo(): Promise<void> {
  // A film under way holds the page's load event back: by then the break may be over.
  await page.goto(`${app.url}/video/${slug}`, { waitUntil: "commit" });
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

describe("breaks of a real video", () => {
  test("before, between and behind, each at its time, and playback goes on after each", async () => {
    const before = await create({ vastTagUrl: `${server.url}/film/12.mp4`, title: "Before" });
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
    await page.locator(`${stage}[data-kind=film]`).waitFor();
    expect(await page.locator(".spot-break-label").innerText()).toMatch(/^Advertisement/);
    await expect.poll(() => skip().innerText(), soon).toMatch(/^Skip in [1-5]s$/);
    expect(await skip().isDisabled()).toBe(true);
    expect(await contentState()).toEqual({ isPaused: true, positionS: 0 });
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await waitForPlaying(page, content);
    expect(await page.locator(stage).count()).toBe(0);

    await seek(midrollS - 4);
    await waitForPlaying(page, content);
    await page.locator(`${stage}[data-kind=card] img`).waitFor({ timeout: 15_000 });
    const held = await contentState();
    expect(held.isPaused).toBe(true);
    expect(Math.abs(held.positionS - midrollS)).toBeLessThanOrEqual(1.2);
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await waitForPlaying(page, content);
    expect((await contentState()).positionS).toBeGreaterThanOrEqual(held.positionS - 0.5);

    await seek(longDurationS - 1.5);
    await page.frameLocator(`${stage} iframe`).locator("#html").waitFor({ timeout: 20_000 });
    await page.getByRole("button", { name: "Skip Ad" }).click({ timeout: 10_000 });
    await page.locator(stage).waitFor({ state: "detached" });

    for (const ad of [before, between, behind]) {
      await expect
        .poll(() => totalsOf(ad), soon)
        .toMatchObject({ impressions: 1, starts: 1, skips: 1 });
    }
  });

  test("an ad of words ends by itself after 15 s, and that is complete", async () => {
    const ad = await create({ title: "Only words", description: "And a line" });
    await openVideo();
    await page.locator(".spot-break-title", { hasText: "Only words" }).waitFor();
    await page.locator(stage).waitFor({ state: "detached", timeout: 25_000 });
    await waitForPlaying(page, content);
    await expect
      .poll(() => totalsOf(ad), soon)
      .toMatchObject({ impressions: 1, completes: 1, skips: 0 });
  });

  test("a link opens a tab of its own and counts; the sound chosen in the ad is kept", async () => {
    const ad = await create({
      vastTagUrl: `${server.url}/film/12.mp4`,
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
    await page.locator(`${stage} video`).waitFor();
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
    await create({ vastTagUrl: `${server.url}/film/12.mp4`, title: "Second" });
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
    return page.evaluate(() => performance.now());
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
    await create({ vastTagUrl: `${server.url}/film/12.mp4` });
    await page.route("**/api/spots/**", (route) => route.abort());
    expect(await delayMs()).toBeLessThan(slackMs);
  });
});
