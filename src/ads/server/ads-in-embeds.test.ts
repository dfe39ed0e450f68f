import { beforeEach, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { forged } from "#test/harness/forged.ts";

const chrome =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
let nowMs = Date.UTC(2026, 4, 4, 12);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const app = useTestApp({ clock, env: { TRUST_PROXY: "127.0.0.1", WRITE_LIMITS: "0" } });
let admin: ReturnType<typeof createClient>;

beforeEach(async () => {
  // Each test has its own day, so that earlier tests don't use up its bounds.
  nowMs += 24 * 3600 * 1000;
  admin = createClient(app.url, await app.signIn());
  await app.context.ads.drain?.();
  for (const table of ["ads", "campaigns", "advertisers", "ad_requests_daily"] as const) {
    await app.db.deleteFrom(table).execute();
  }
  await saveSetting(true);
});

const saveSetting = async (adsInEmbeds: boolean) =>
  expect((await admin.call("POST", "/api/settings", { adsInEmbeds })).status).toBe(200);

async function post(path: string, body: object) {
  const response = await admin.call("POST", path, body);
  expect([path, response.text, response.status]).toEqual([path, response.text, 201]);
  return response.json;
}
const addAd = async (values: object = {}): Promise<string> =>
  (await post("/api/ads", { title: "Ad", type: "video", placement: "preroll", ...values })).id;

/** A frame on another site. Its browser stores no cookies, so every request is a new client. */
function openEmbed({ userAgent = chrome, address = "203.0.113.1" } = {}) {
  let visitor: string | null = null;
  const call = (method: string, path: string, body?: object) =>
    createClient(app.url).call(method, path, body, {
      "user-agent": userAgent,
      "x-forwarded-for": address,
      ...(visitor === null ? {} : { "x-visitor": visitor }),
    });
  return {
    as(carried: string | null) {
      visitor = carried;
    },
    async ask(query = "placement=preroll") {
      const { json } = await call("GET", `/api/spots/public?origin=embed&${query}`);
      visitor = json.visitor ?? visitor;
      return json;
    },
    report: (id: string, event: string, body: object = {}) =>
      call("POST", `/api/spots/${id}/${event}`, { origin: "embed", ...body }),
  };
}

/** Shows an ad in an embed and reports its events. */
async function show(id: string, embed = openEmbed(), isClicked = false) {
  const { serve } = await embed.ask();
  await embed.report(id, "impression", { serve });
  if (isClicked) await embed.report(id, "click", { serve });
}
async function showOnSite(id: string) {
  const visitor = createClient(app.url);
  const headers = { "user-agent": chrome };
  const path = "/api/spots/public?placement=preroll";
  const { serve } = (await visitor.call("GET", path, undefined, headers)).json;
  await visitor.call("POST", `/api/spots/${id}/impression`, { serve }, headers);
}

const report = async (query: string) => {
  await app.context.ads.drain?.();
  return (await admin.call("GET", `/api/ad-report?days=1&${query}`)).json;
};
const rowsByOrigin = async () =>
  (await report("group=origin")).rows.map((row: Record<string, unknown>) => [
    ...[row["key"], row["requests"], row["filled"], row["impressions"], row["clicks"]],
  ]);

it("returns only ads of ad breaks to embeds, and none if the setting is off", async () => {
  await addAd();
  await addAd({ type: "banner", placement: "header" });
  await addAd({ type: "popup", placement: "header" });
  await addAd({ type: "banner", placement: "feed" });
  const titles = async (query: string) => (await openEmbed().ask(query)).ads.length;
  expect(await titles("placement=preroll")).toBe(1);
  for (const query of ["placement=header", "placement=header&type=popup", "placement=feed", ""]) {
    expect([query, await titles(query)]).toEqual([query, 0]);
  }
  await saveSetting(false);
  expect(await titles("placement=preroll")).toBe(0);
  expect((await report("group=origin")).totals.requests).toBe(1);
});

it("reports requests, revenue and errors of embeds separately", async () => {
  const { id: advertiserId } = await post("/api/advertisers", { name: "Acme" });
  const price = { priceModel: "cpm", price: 1000, currency: "EUR" };
  const campaign = await post("/api/campaigns", { advertiserId, name: "Autumn", ...price });
  const id = await addAd({ campaignId: campaign.id });
  for (let count = 0; count < 3; count += 1) await showOnSite(id);
  await show(id, openEmbed(), true);

  expect(await rowsByOrigin()).toEqual([
    ["embed", 1, 1, 1, 1],
    ["site", 3, 3, 3, 0],
  ]);
  const revenue = async (query: string) => (await report(query)).totals.revenue[0].amount;
  expect(await revenue("group=day")).toBe(4);
  expect(await revenue("group=day&origin=embed")).toBe(1);
  expect(await revenue("group=campaign&origin=site")).toBe(3);
  expect((await report("group=ad&origin=embed")).rows).toMatchObject([{ key: id, impressions: 1 }]);
  expect((await report("group=placement&origin=embed")).totals).toMatchObject({ requests: 1 });

  const embed = openEmbed();
  const { serve } = await embed.ask();
  await embed.report(id, "event", { serve, event: "error", cause: "timeout" });
  expect((await report("origin=embed")).errorCauses).toEqual([{ cause: "timeout", count: 1 }]);
  expect((await report("origin=site")).errorCauses).toEqual([]);

  const stats = (await admin.call("GET", `/api/ads/${id}/stats?days=1`)).json;
  expect(stats.totals.impressions).toBe(4);
  expect(stats.origins).toMatchObject([
    { origin: "site", impressions: 3, errors: 0 },
    { origin: "embed", impressions: 1, clicks: 1, errors: 1 },
  ]);
  const { text } = await admin.call("GET", `/api/ads/${id}/stats.csv?days=1`);
  const [head = "", row = ""] = text.split("\r\n");
  expect(head).toMatch(/,ctr_percent,embed_impressions,embed_clicks$/);
  expect(row).toMatch(/,25\.00,1,1$/);
  const csv = (await admin.call("GET", "/api/ad-report.csv?days=1&group=origin")).text;
  expect(csv.split("\r\n").map((line) => line.split(",")[0])).toEqual(["key", "embed", "site", ""]);
});

it("reports counts of earlier versions as those of the site", async () => {
  const id = await addAd();
  const day = clock.date().toISOString().slice(0, 10);
  const old = { ad_id: id, day, placement: "preroll" as const, impressions: 5 };
  await app.db
    .insertInto("ad_stats_daily")
    .values({ ...old, verified_impressions: 4 })
    .execute();
  await app.db
    .insertInto("ad_requests_daily")
    .values({ day, placement: "preroll", requests: 9, filled: 5, robot_requests: 0 })
    .execute();
  expect(await rowsByOrigin()).toEqual([["site", 9, 5, 4, 0]]);
});

it("applies a visitor's daily cap in embeds, which carry the visitor instead of a cookie", async () => {
  const id = await addAd({ visitorDailyCap: 1 });
  const embed = openEmbed();
  await show(id, embed);
  expect((await embed.ask()).ads).toEqual([]);
  expect((await openEmbed().ask()).ads).toHaveLength(1);
});

it("rejects a forged visitor, and returns no visitor if there is a cookie", async () => {
  const id = await addAd();
  const embed = openEmbed();
  const { visitor, serve } = await embed.ask();
  embed.as(forged(visitor));
  expect((await embed.report(id, "impression", { serve })).status).toBe(400);
  embed.as(null);
  expect((await embed.report(id, "impression", { serve })).status).toBe(400);
  embed.as(visitor);
  expect((await embed.report(id, "impression", { serve })).json).toEqual({ counted: true });

  const onSite = createClient(app.url);
  const path = "/api/spots/public?placement=preroll";
  await onSite.call("GET", path);
  expect((await onSite.call("GET", `${path}&origin=embed`)).json).not.toHaveProperty("visitor");
  expect((await createClient(app.url).call("GET", path)).json).not.toHaveProperty("visitor");
});

it("treats bots and repeated reports as on the site, and trusts the token's origin", async () => {
  const id = await addAd();
  const embed = openEmbed();
  const { serve } = await embed.ask();
  for (const origin of ["site", "embed", "site"]) {
    await embed.report(id, "impression", { serve, origin });
  }
  await show(id, openEmbed({ userAgent: googlebot, address: "203.0.113.2" }));
  for (let count = 0; count < 5; count += 1) {
    await openEmbed({ address: "203.0.113.3" }).report(id, "click");
  }
  expect((await report("group=origin")).rows).toMatchObject([
    {
      ...{ key: "embed", impressions: 1, robotImpressions: 1, unverifiedImpressions: 0 },
      ...{ clicks: 0, unverifiedClicks: 5, requests: 1, robotRequests: 1 },
    },
  ]);
  expect((await openEmbed().report(id, "impression", { origin: "elsewhere" })).status).toBe(400);
});

it("lets the HTML of ads in breaks be framed by embeds on other sites", async () => {
  const html = { content: "<p>Ad</p>" };
  const inBreak = await addAd(html);
  const banner = await addAd({ ...html, type: "banner", placement: "header" });
  const ancestors = async (id: string) => {
    const { headers } = await createClient(app.url).call("GET", `/spots/frame/${id}`);
    return /frame-ancestors ([^;]+)/.exec(headers.get("content-security-policy") ?? "")?.[1];
  };
  expect([await ancestors(inBreak), await ancestors(banner)]).toEqual([undefined, "'self'"]);
  await saveSetting(false);
  expect(await ancestors(inBreak)).toBe("'self'");
});

it("includes the setting in public settings only while it is on", async () => {
  const read = async () => (await createClient(app.url).call("GET", "/api/settings/public")).json;
  expect(await read()).toMatchObject({ adsInEmbeds: true });
  await saveSetting(false);
  expect(await read()).not.toHaveProperty("adsInEmbeds");
});
