import { beforeEach, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";

const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
let nowMs = Date.UTC(2026, 4, 4, 12);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
/** Two processes of one site. */
const env = { WRITE_LIMITS: "0", TRUST_PROXY: "127.0.0.1" };
const first = useTestApp({ clock, env });
const apps = [first, useTestApp(() => ({ clock, env, besides: first }))];
let admin: ReturnType<typeof createClient>;

beforeEach(async () => {
  nowMs += 24 * 3600 * 1000;
  await first.db.deleteFrom("ads").execute();
  admin = createClient(first.url, await first.signIn());
});

async function create(path: string, values: object): Promise<string> {
  const response = await admin.call("POST", path, values);
  expect([path, response.status]).toEqual([path, 201]);
  // Makes both processes reload the ads.
  for (const { context } of apps) {
    for (const feature of context.features) feature.invalidate?.("everything");
  }
  return response.json.id;
}

const addAd = (values: object = {}) =>
  create("/api/ads", { title: "Ad", type: "banner", placement: "header", ...values });

/** Creates a visitor whose requests alternate between both processes. */
function visit(address: string) {
  const clients = apps.map(({ url }) => createClient(url));
  const headers = { "user-agent": userAgent, "x-forwarded-for": address };
  let turn = 0;
  async function call(method: string, path: string, body?: object) {
    const client = clients[turn % 2];
    const other = clients[(turn + 1) % 2];
    if (client === undefined) throw new Error("no apps");
    turn += 1;
    const response = await client.call(method, path, body, headers);
    for (const [name, value] of client.jar) other?.jar.set(name, value);
    return response;
  }
  return {
    async getServe(placement = "header"): Promise<string> {
      return (await call("GET", `/api/spots/public?placement=${placement}`)).json.serve;
    },
    /** @returns whether the event was counted. A click's response doesn't contain that. */
    async report(adId: string, event: string, serve: string): Promise<boolean> {
      const hasOwnRoute = event !== "impression" && event !== "click";
      const path = `/api/spots/${adId}/${hasOwnRoute ? "event" : event}`;
      return (await call("POST", path, hasOwnRoute ? { event, serve } : { serve })).json.counted;
    },
  };
}

const totalsOf = async (id: string) =>
  (await admin.call("GET", `/api/ads/${id}/stats`)).json.totals;

test("spends no budget on tokens whose ad was never shown", async () => {
  const advertiserId = await create("/api/advertisers", { name: "Buyer" });
  const campaignId = await create("/api/campaigns", {
    advertiserId,
    name: "Clicks",
    priceModel: "cpc",
    price: 1,
    budget: 200,
    hasEvenPacing: false,
  });
  const id = await addAd({ campaignId, linkUrl: "https://example.com/shop" });
  for (let at = 0; at < 20; at += 1) {
    const visitor = visit(`203.0.113.${at}`);
    const serve = await visitor.getServe();
    for (const event of ["click", "viewable", "start", "skip"]) {
      await visitor.report(id, event, serve);
    }
  }
  expect(await totalsOf(id)).toMatchObject({
    impressions: 0,
    clicks: 0,
    unverifiedClicks: 0,
    viewable: 0,
    starts: 0,
    skips: 0,
  });
  const { campaigns } = (await admin.call("GET", "/api/campaigns")).json;
  expect(campaigns.find((each: { id: string }) => each.id === campaignId)).toMatchObject({
    clicks: 0,
  });

  // One process counts a click after the other one counted the impression.
  const visitor = visit("198.51.100.1");
  const serve = await visitor.getServe();
  expect(await visitor.report(id, "impression", serve)).toBe(true);
  await visitor.report(id, "click", serve);
  expect(await totalsOf(id)).toMatchObject({ impressions: 1, clicks: 1 });
});

test("counts an ad as viewable one second after another process counted its impression", async () => {
  const id = await addAd();
  const visitor = visit("203.0.113.1");
  const serve = await visitor.getServe();
  await visitor.report(id, "impression", serve);
  expect(await visitor.report(id, "viewable", serve)).toBe(false);
  nowMs += 999;
  expect(await visitor.report(id, "viewable", serve)).toBe(false);
  nowMs += 1;
  expect(await visitor.report(id, "viewable", serve)).toBe(true);
  expect(await visitor.report(id, "viewable", serve)).toBe(false);
});

test("counts quartiles only in order across both processes, and never completes a banner", async () => {
  const video = await addAd({ type: "video", placement: "preroll" });
  const banner = await addAd();
  const visitor = visit("203.0.113.1");
  const serve = await visitor.getServe("preroll");
  const counted = async (...events: string[]) => {
    const results: boolean[] = [];
    for (const event of events) results.push(await visitor.report(video, event, serve));
    return results;
  };
  expect(await counted("complete", "start", "impression")).toEqual([false, false, true]);
  expect(await counted("midpoint", "start", "thirdQuartile")).toEqual([false, true, false]);
  expect(await counted("firstQuartile", "midpoint", "complete")).toEqual([true, true, false]);
  expect(await counted("thirdQuartile", "complete", "complete")).toEqual([true, true, false]);

  const own = await visitor.getServe();
  for (const event of ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile"]) {
    await visitor.report(banner, event, own);
  }
  expect(await visitor.report(banner, "complete", own)).toBe(false);
});

test("counts 10 clicks and 300 impressions per address group in both processes together", async () => {
  const id = await addAd();
  const shown = await Promise.all(
    Array.from({ length: 320 }, async (_, at) => {
      const visitor = visit(`198.51.100.${at % 256}`);
      const serve = await visitor.getServe();
      const isCounted = await visitor.report(id, "impression", serve);
      await visitor.report(id, "click", serve);
      return isCounted;
    }),
  );
  expect(shown.filter(Boolean)).toHaveLength(300);
  expect(await totalsOf(id)).toMatchObject({ impressions: 300, clicks: 10 });
});
