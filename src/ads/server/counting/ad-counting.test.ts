import { createSecretKey } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { forged } from "#test/harness/forged.ts";
import { createLogger } from "#server/lib/logger.ts";
import { newId } from "#server/lib/ids.ts";
import { createMetrics } from "#server/lib/metrics/metrics.ts";
import { createAdCounting } from "./ad-counting.service.ts";
import { adKey, createServeTokens } from "../serves/serve-token.ts";

const minuteMs = 60_000;
const chrome =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

let admin: ReturnType<typeof createClient>;
let nowMs = Date.UTC(2026, 4, 4, 12);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
let adId: string;

const app = useTestApp({ clock, env: { TRUST_PROXY: "127.0.0.1", WRITE_LIMITS: "0" } });
beforeEach(async () => {
  // Each test has its own day and a new session, so that earlier tests don't use up its bounds.
  nowMs += 24 * 60 * minuteMs;
  admin = createClient(app.url, await app.signIn());
  const { ads } = (await admin.call("GET", "/api/ads")).json;
  for (const { id } of ads) await admin.call("DELETE", `/api/ads/${id}`);
  adId = await createAd();
});

async function createAd(values: Record<string, unknown> = {}): Promise<string> {
  const banner = { title: "Ad", type: "banner", placement: "header" };
  return (await admin.call("POST", "/api/ads", { ...banner, ...values })).json.id;
}

/** Creates a visitor with a separate browser at this address. */
function visit(address = "203.0.113.1", userAgent = chrome) {
  return visitAs(createClient(app.url), { "user-agent": userAgent, "x-forwarded-for": address });
}

function visitAs(client: ReturnType<typeof createClient>, headers: Record<string, string>) {
  return {
    /** Returns the same visitor with another browser. */
    as: (name: string) => visitAs(client, { ...headers, "user-agent": name }),
    async getServe(query = "placement=header"): Promise<string> {
      const list = await client.call("GET", `/api/spots/public?${query}`, undefined, headers);
      return list.json.serve;
    },
    post: (path: string, body?: object, id = adId) =>
      client.call("POST", `/api/ads/${id}/${path}`, body, headers),
  };
}
type Visit = ReturnType<typeof visit>;

const counts = async (visits: Visit[], path: string, body?: object) => {
  const responses = await Promise.all(visits.map((visitor) => visitor.post(path, body)));
  return responses.filter(({ json }) => json.counted === true).length;
};
const totals = async () => (await admin.call("GET", `/api/ads/${adId}/stats`)).json.totals;
const ad = async () => (await admin.call("GET", `/api/ads/${adId}`)).json;

test("verifies a serve for its visitor, ads and placement, and refuses all others", async () => {
  const [one, two] = [visit(), visit()];
  const elsewhere = await createAd({ placement: "footer" });
  const serve = await one.getServe();
  await two.getServe();
  expect((await two.post("impression", { serve })).status).toBe(400);
  expect((await visit().post("impression", { serve })).status).toBe(400);
  expect((await one.post("impression", { serve }, elsewhere)).status).toBe(400);
  expect((await one.post("impression", { serve, placement: "footer" })).status).toBe(400);
  expect((await one.post("click", { serve, placement: "feed" })).status).toBe(400);
  expect((await ad()).impressionCount).toBe(0);
  const own = await one.post("impression", { serve, placement: "header" });
  expect([own.status, own.json]).toEqual([202, { counted: true }]);
  expect(await totals()).toMatchObject({ impressions: 1, unverifiedImpressions: 0 });
});

test("counts each ad and event of a serve once even if the client sends extra fields", async () => {
  const visitor = visit();
  const serve = await visitor.getServe();
  for (let turn = 0; turn < 256; turn += 32) await visitor.post("impression", { serve, turn });
  const together = Array.from({ length: 20 }, () => visitor);
  expect(await counts(together, "impression", { serve })).toBe(0);
  for (let at = 0; at < 3; at += 1) await visitor.post("click", { serve });
  nowMs += 1000;
  for (const event of ["viewable", "start", "viewable"]) {
    await visitor.post("event", { event, serve });
  }
  expect(await totals()).toMatchObject({ impressions: 1, clicks: 1, viewable: 1, starts: 1 });
  await visitor.post("impression", { serve: await visitor.getServe() });
  expect((await totals()).impressions).toBe(2);
});

test("rejects an expired serve", async () => {
  const visitor = visit();
  const serve = await visitor.getServe();
  nowMs += 12 * 60 * minuteMs + 2 * minuteMs;
  expect((await visitor.post("impression", { serve })).status).toBe(400);
  expect((await ad()).impressionCount).toBe(0);
});

test("counts nothing for an inactive ad or outside its dates", async () => {
  const visitor = visit();
  const serve = await visitor.getServe();
  const hour = (offset: number) => new Date(nowMs + offset * 60 * minuteMs).toISOString();
  for (const change of [
    { isActive: false },
    { isActive: true, startDate: hour(1) },
    { startDate: hour(-2), endDate: hour(-1) },
  ]) {
    await admin.call("PUT", `/api/ads/${adId}`, change);
    expect((await visitor.post("impression", { serve })).json).toEqual({ counted: false });
    expect((await visit().post("impression")).json).toEqual({ counted: false });
    expect((await visitor.post("click", { serve })).status).toBe(200);
  }
  expect(await ad()).toMatchObject({ impressionCount: 0, clickCount: 0 });
});

test("counts one call per visitor, ad and kind in 30 s without a serve", async () => {
  const visitor = visit();
  for (let at = 0; at < 5; at += 1) {
    const response = await visitor.post("impression");
    expect([response.status, response.json]).toEqual([202, { counted: at === 0 }]);
    expect((await visitor.post("click")).status).toBe(200);
  }
  expect(await ad()).toMatchObject({ impressionCount: 1, clickCount: 1, ctr: 100 });
  nowMs += 29_999;
  expect(await counts([visitor], "impression")).toBe(0);
  nowMs += 1;
  expect(await counts([visitor], "impression")).toBe(1);
  const other = await createAd();
  expect((await visitor.post("impression", undefined, other)).json).toEqual({ counted: true });
  expect(await totals()).toMatchObject({ impressions: 0, unverifiedImpressions: 2 });
});

test("counts 30 calls a minute per address without a serve, by /64 for IPv6", async () => {
  const visits = (count: number, address: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => visit(address(at)));
  expect(
    await counts(
      visits(200, () => "203.0.113.9"),
      "impression",
    ),
  ).toBe(30);
  expect(
    await counts(
      visits(5, () => "203.0.113.10"),
      "impression",
    ),
  ).toBe(5);
  const sameNetwork = visits(40, (at) => `2001:db8:1:2:${at.toString(16)}::1`);
  expect(await counts(sameNetwork, "impression")).toBe(30);
  expect(
    await counts(
      visits(40, (at) => `2001:db8:1:${at.toString(16)}::1`),
      "impression",
    ),
  ).toBe(
    // One of these networks used up its bound in the earlier calls.
    39,
  );
  nowMs += minuteMs;
  expect(
    await counts(
      visits(31, () => "203.0.113.9"),
      "impression",
    ),
  ).toBe(30);
  expect((await ad()).impressionCount).toBe(30 + 5 + 30 + 39 + 30);
});

test("applies the bounds across all processes", async () => {
  const row = await makeAd(app.db);
  const serves = createServeTokens(createSecretKey(Buffer.alloc(32)), clock.now);
  const processes = Array.from({ length: 3 }, () =>
    createAdCounting({
      db: app.db,
      clock,
      serves,
      logger: createLogger("error"),
      metrics: createMetrics(),
    }),
  );
  const call = {
    adId: row.id,
    event: "impression" as const,
    isRobot: false,
    addressGroup: "office",
  };
  const count = async (reports: { visitorId: string; addressKey: string; serve?: string }[]) => {
    const results = await Promise.all(
      reports.map(async (report, at) => await processes[at % 3]?.count({ ...call, ...report })),
    );
    return results.filter((isCounted) => isCounted === true).length;
  };
  const visitorId = newId();
  expect(
    await count(Array.from({ length: 30 }, (_, at) => ({ visitorId, addressKey: `a${at}` }))),
  ).toBe(1);
  expect(
    await count(Array.from({ length: 90 }, () => ({ visitorId: newId(), addressKey: "office" }))),
  ).toBe(30);
  const serve = serves.create({ visitorId, placement: "header", adKeys: [adKey(row.id)] });
  expect(
    await count(Array.from({ length: 30 }, () => ({ visitorId, addressKey: "x", serve }))),
  ).toBe(1);
});

test("counts later events only with a serve", async () => {
  const visitor = visit();
  const response = await visitor.post("event", { event: "complete" });
  expect([response.status, response.json]).toEqual([202, { counted: false }]);
  expect((await totals()).completes).toBe(0);
});

test("counts errors by cause, once per serve", async () => {
  const report = async (cause?: string) => {
    const visitor = visit();
    const body = { serve: await visitor.getServe(), event: "error", cause };
    await visitor.post("event", body);
    return visitor.post("event", body);
  };
  for (const cause of ["timeout", "media_timeout", "timeout", undefined]) await report(cause);
  expect((await report("made up")).status).toBe(400);
  const stats = (await admin.call("GET", `/api/ads/${adId}/stats`)).json;
  expect(stats.totals.errors).toBe(4);
  expect(stats.errorCauses).toEqual([
    { cause: "timeout", count: 2 },
    { cause: "media_timeout", count: 1 },
    { cause: "other", count: 1 },
  ]);
});

test("counts bots separately from the main figures, which contain only verified events", async () => {
  const robot = visit("203.0.113.20", googlebot);
  const person = visit("203.0.113.21");
  const [robotServe, serve] = [await robot.getServe(), await person.getServe()];
  await robot.post("impression", { serve: robotServe });
  await robot.post("click", { serve: robotServe });
  await robot.post("event", { serve: robotServe, event: "viewable" });
  await visit("203.0.113.22", googlebot).post("impression");
  for (const path of ["impression", "click"]) await person.post(path, { serve });
  await visit("203.0.113.23").post("impression");
  expect(await totals()).toMatchObject({
    impressions: 1,
    unverifiedImpressions: 1,
    robotImpressions: 2,
    clicks: 1,
    unverifiedClicks: 0,
    robotClicks: 1,
    viewable: 0,
  });
  expect(await ad()).toMatchObject({
    impressionCount: 4,
    clickCount: 2,
    ctr: 50,
    verifiedImpressionCount: 1,
    verifiedClickCount: 1,
  });
  const dashboard = (await admin.call("GET", "/api/admin/statistics?days=7")).json;
  expect(dashboard.days.at(-1)).toMatchObject({ adImpressions: 1, adClicks: 1 });
  const csv = await admin.call("GET", `/api/ads/${adId}/stats.csv`);
  expect(csv.headers.get("content-type")).toContain("text/csv");
  const [head, line] = csv.text.split("\r\n");
  expect(head).toMatch(
    /^day,placement,impressions,unverified_impressions,robot_impressions,viewable,clicks,unverified_clicks,robot_clicks,.*,ctr_percent,embed_impressions,embed_clicks$/,
  );
  // Reports use the CTR of verified events.
  expect(line).toMatch(/^\d{4}-\d\d-\d\d,header,1,1,2,0,1,0,1,.*,100\.00,0,0$/);
});

test("responds with 404 for an unknown ad without affecting its batch", async () => {
  const gone = "019a0000-0000-7000-8000-000000000000";
  const responses = await Promise.all(
    [adId, gone, adId, "nonsense"].map((id) => visit().post("impression", undefined, id)),
  );
  expect(responses.map(({ status }) => status)).toEqual([202, 404, 202, 404]);
});

test("redirects a click to the stored link, ignores a link in the body, and refuses a forged serve", async () => {
  await admin.call("PUT", `/api/ads/${adId}`, { linkUrl: "https://example.com/shop" });
  const visitor = visit();
  const click = await visitor.post("click", { linkUrl: "https://evil.example" });
  expect([click.status, click.json]).toEqual([200, { linkUrl: "https://example.com/shop" }]);
  const serve = await visitor.getServe();
  expect((await visitor.post("impression", { serve: forged(serve, 0) })).status).toBe(400);
  expect((await visitor.post("event", { event: "explode" })).status).toBe(400);
});

describe("event order", () => {
  const report = (visitor: Visit, event: string, serve: string, id = adId) =>
    event === "click" || event === "impression"
      ? visitor.post(event, { serve }, id)
      : visitor.post("event", { serve, event }, id);
  const numbers = async () => {
    const { impressions, clicks, viewable, starts, completes } = await totals();
    return { impressions, clicks, viewable, starts, completes };
  };
  const nothing = { impressions: 0, clicks: 0, viewable: 0, starts: 0, completes: 0 };

  test("counts only errors without an impression of the same token", async () => {
    const visitor = visit();
    const [serve, other] = [await visitor.getServe(), await visitor.getServe()];
    for (const event of ["click", "viewable", "start", "firstQuartile", "skip", "complete"]) {
      await report(visitor, event, serve);
    }
    expect(await numbers()).toEqual(nothing);
    await report(visitor, "impression", other);
    expect((await report(visitor, "click", serve)).status).toBe(200);
    expect(await numbers()).toEqual({ ...nothing, impressions: 1 });
    await report(visitor, "click", other);
    expect(await numbers()).toEqual({ ...nothing, impressions: 1, clicks: 1 });
  });

  test("ignores a visitor's click after a bot's impression", async () => {
    const robot = visit("203.0.113.40", googlebot);
    const serve = await robot.getServe();
    await robot.post("impression", { serve });
    await robot.as(chrome).post("click", { serve });
    expect((await ad()).verifiedClickCount).toBe(0);
  });

  test("counts an ad as viewable one second after its impression", async () => {
    const visitor = visit();
    const serve = await visitor.getServe();
    await report(visitor, "impression", serve);
    nowMs += 999;
    expect((await report(visitor, "viewable", serve)).json).toEqual({ counted: false });
    nowMs += 1;
    expect((await report(visitor, "viewable", serve)).json).toEqual({ counted: true });
  });

  test("counts quartiles only in order", async () => {
    adId = await createAd({ type: "video", placement: "preroll" });
    const visitor = visit();
    const serve = await visitor.getServe("placement=preroll");
    const counted = async (...events: string[]) => {
      const responses = [];
      for (const event of events) responses.push(await report(visitor, event, serve));
      return responses.map(({ json }) => json.counted);
    };
    expect(await counted("impression", "complete", "midpoint")).toEqual([true, false, false]);
    expect(await counted("start", "midpoint", "firstQuartile")).toEqual([true, false, true]);
    expect(await counted("complete", "midpoint", "thirdQuartile")).toEqual([false, true, true]);
    expect(await counted("complete", "complete")).toEqual([true, false]);
  });

  test("never completes a banner", async () => {
    const visitor = visit();
    const serve = await visitor.getServe();
    for (const event of ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile"]) {
      await report(visitor, event, serve);
    }
    expect((await report(visitor, "complete", serve)).json).toEqual({ counted: false });
  });
});

test("counts at most 10 verified clicks and 300 impressions per address group in 10 minutes", async () => {
  const visits = (count: number, address: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => visit(address(at)));
  const show = async (visitors: Visit[]) => {
    const serves = await Promise.all(visitors.map((visitor) => visitor.getServe()));
    const each = (path: string) =>
      Promise.all(visitors.map((visitor, at) => visitor.post(path, { serve: serves[at] })));
    const shown = await each("impression");
    await each("click");
    return shown.filter(({ json }) => json.counted === true).length;
  };
  expect(await show(visits(310, (at) => `198.51.100.${at % 256}`))).toBe(300);
  expect((await totals()).clicks).toBe(10);
  expect(await show(visits(20, (at) => `2001:db8:77:${at.toString(16)}::1`))).toBe(20);
  expect((await totals()).clicks).toBe(20);
  // Other networks have their own bounds.
  expect(await show(visits(20, (at) => `192.0.${at}.7`))).toBe(20);
  expect((await totals()).clicks).toBe(40);
  nowMs += 10 * minuteMs;
  expect(await show(visits(5, (at) => `198.51.100.${at}`))).toBe(5);
  expect((await totals()).clicks).toBe(45);
});
