import { expect, test } from "vitest";
import { adPlacements } from "#ads/contract/ads.ts";
import { compileRule, filterRules, hidingSelectors } from "../support/ads-filter-list.ts";
import { useAdsSite } from "../support/ads-site.ts";
import { inlineVast } from "../support/ads-server.ts";
import { waitForItem, waitForLiveFeed } from "../support/feed-screen.ts";
import { addClip } from "../support/player-clips.ts";

const site = useAdsSite({});

const rules = filterRules.map(compileRule);
const rulesFor = (url: string) => filterRules.filter((_rule, at) => rules[at]?.test(url));

test("blocks the usual URLs of ads", () => {
  for (const url of [
    "https://site.test/api/ads/public?placement=header&limit=5",
    "https://site.test/api/ads/public?type=banner,video",
    "https://cdn.test/assets/ad-slot-B8CI.js",
    "https://cdn.test/banner_728.gif",
    "https://site.test/vast?x=1",
  ]) {
    expect(rulesFor(url)).not.toEqual([]);
  }
  expect(rulesFor("https://site.test/api/videos?limit=12")).toEqual([]);
});

test("lets all requests, scripts and elements of our own ads pass", async () => {
  const { admin, app, page, server } = site;
  server.documents.set("video", inlineVast(server, "video", 4));
  for (const placement of adPlacements) {
    const isBreak = ["preroll", "midroll", "postroll"].includes(placement);
    const created = await admin.call("POST", "/api/ads", {
      title: `Offer ${placement}`,
      placement,
      type: isBreak ? "video" : placement === "footer" ? "popup" : "banner",
      // The video is too short for a regular pre-roll.
      ignoresBreakRules: isBreak,
      ...(isBreak
        ? { vastTagUrl: `${server.url}/closed/video` }
        : { content: "<p>offer</p>", linkUrl: `${server.url}/landing` }),
    });
    expect(created.status).toBe(201);
  }
  const { slug } = await addClip(app, "wide-0");
  for (let at = 0; at < 4; at += 1) await addClip(app, "upright-0");

  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(app.url)) asked.push(request.url());
  });
  const hidden = () =>
    page.evaluate(
      (selectors) =>
        selectors.flatMap((selector) =>
          [...document.querySelectorAll(selector)].map((element) =>
            element.outerHTML.slice(0, 120),
          ),
        ),
      hidingSelectors,
    );

  await page.goto(`${app.url}/video/${slug}`);
  await page.locator(".spot[data-slot=header] iframe").waitFor();
  await page.locator(".spot-popup").waitFor();
  expect(await hidden()).toEqual([]);
  await page.locator(".spot-popup .spot-close").click();
  await page.locator(".player").click({ position: { x: 300, y: 150 } });
  await expect.poll(() => asked.some((url) => url.includes("/documents?"))).toBe(true);
  await page.goto(`${app.url}/feed`);
  await waitForLiveFeed(page);
  for (const number of [1, 2, 3]) {
    await waitForItem(page, number);
    await page.keyboard.press("ArrowDown");
  }
  await expect.poll(() => asked.some((url) => url.includes("placement=feed"))).toBe(true);
  await page.locator(".spot-feed").first().waitFor({ state: "attached" });
  expect(await hidden()).toEqual([]);

  const spots = asked.filter((url) => url.includes("/spots/"));
  const kinds = ["/public", "/impression", "/documents", "/frame/", "/event"];
  for (const kind of kinds) expect(spots.some((url) => url.includes(kind))).toBe(true);
  expect(asked.flatMap((url) => rulesFor(url).map((rule) => `${rule} blocks ${url}`))).toEqual([]);
});
