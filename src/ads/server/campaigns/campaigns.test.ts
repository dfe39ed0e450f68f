import { beforeEach, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";

const browser = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
};
const dayMs = 86_400_000;
/** A Monday at noon. */
let nowMs = Date.UTC(2026, 4, 4, 12);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
let admin: ReturnType<typeof createClient>;
let advertiserId = "";
interface Row {
  name: string;
  impressions: number;
  requests: number | null;
}

const app = useTestApp({ clock, env: { WRITE_LIMITS: "0", GEO_HEADER: "x-country" } });
beforeEach(async () => {
  admin = createClient(app.url, await app.signIn());
  await app.context.ads.drain?.();
  for (const table of ["ads", "campaigns", "advertisers", "ad_requests_daily"] as const) {
    await app.db.deleteFrom(table).execute();
  }
  advertiserId = (await post("/api/advertisers", { name: "Acme" })).id;
});

async function post(path: string, body: object) {
  const response = await admin.call("POST", path, body);
  expect([path, response.text, response.status]).toEqual([path, response.text, 201]);
  return response.json;
}
const addCampaign = (values: object = {}) =>
  post("/api/campaigns", { advertiserId, name: "Autumn", ...values });
const addAd = (values: object = {}) =>
  post("/api/ads", { title: "Ad", type: "banner", placement: "header", ...values });

async function ask(
  query = "",
  headers: Record<string, string> = {},
  visitor = createClient(app.url),
) {
  const placement = query.includes("placement=") ? "" : "&placement=header";
  const path = `/api/spots/public?limit=5${query}${placement}`;
  const { json } = await visitor.call("GET", path, undefined, { ...browser, ...headers });
  const send = (id: string, event: string, body: object = {}) =>
    visitor.call("POST", `/api/spots/${id}/${event}`, { serve: json.serve, ...body }, browser);
  const titles: string[] = json.ads.map(({ title }: { title: string }) => title);
  return { titles: titles.toSorted(), send };
}

test.each([
  ["startsAt", "2099-01-01T00:00:00Z"],
  ["start", "2099-01-01"],
  ["launch", "2099-01-01 10:00"],
  ["end_date", 4_070_908_800],
])("refuses %s, which looks like a date but isn't a field", async (name, value) => {
  const message = "isn't a field. Dates are startDate and endDate";
  const campaign = { advertiserId, name: "Autumn", [name]: value };
  const ad = { title: "Ad", type: "banner", placement: "header", [name]: value };
  for (const [path, body] of [
    ["/api/campaigns", campaign],
    ["/api/ads", ad],
  ] as const) {
    const { status, json } = await admin.call("POST", path, body);
    expect([path, status, json.issues]).toEqual([path, 400, [{ path: name, message }]]);
  }
});

test("accepts what it returned, and ignores other unknown fields", async () => {
  const campaign = await addCampaign({ startDate: "2099-01-01", note: "ignored" });
  const path = `/api/campaigns/${campaign.id}`;
  expect((await admin.call("PUT", path, campaign)).status).toBe(200);
  const ad = await addAd({ endDate: "2099-01-01" });
  expect((await admin.call("PUT", `/api/ads/${ad.id}`, ad)).status).toBe(200);
});

test("adds, changes and removes advertisers and campaigns, and records this in the audit log", async () => {
  expect((await admin.call("POST", "/api/advertisers", { name: "acme" })).status).toBe(409);
  const made = await addCampaign({ price: 2.5, priceModel: "cpm", budget: 100 });
  expect(made).toMatchObject({ advertiserName: "Acme", price: 2.5, budget: 100, goal: "none" });
  const path = `/api/campaigns/${made.id}`;
  const changed = { advertiserId, name: "Winter", goal: "clicks", goalAmount: 10 };
  expect((await admin.call("PUT", path, changed)).json).toMatchObject({
    name: "Winter",
    price: null,
  });
  const ad = await addAd({ campaignId: made.id });
  expect((await admin.call("DELETE", path)).status).toBe(409);
  expect((await admin.call("DELETE", `/api/advertisers/${advertiserId}`)).status).toBe(409);
  expect((await admin.call("GET", path)).json.ads).toMatchObject([{ id: ad.id, rateTo: 100 }]);
  await admin.call("DELETE", `/api/ads/${ad.id}`);
  expect((await admin.call("DELETE", path)).status).toBe(204);
  expect((await admin.call("DELETE", `/api/advertisers/${advertiserId}`)).status).toBe(204);
  const log = await app.db.selectFrom("audit_log").select("action").execute();
  expect(log.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["advertiser.created", "campaign.updated", "campaign.deleted"]),
  );
});

test("refuses an edit of an outdated version", async () => {
  const campaign = await addCampaign();
  const body = { advertiserId, name: "First", version: campaign.version };
  const path = `/api/campaigns/${campaign.id}`;
  expect((await admin.call("PUT", path, body)).json.version).toBe(campaign.version + 1);
  expect(await admin.call("PUT", path, { ...body, name: "Second" })).toMatchObject({
    status: 409,
    json: { code: "edit_conflict", message: expect.stringContaining("this campaign") },
  });
  expect((await admin.call("GET", path)).json.campaign.name).toBe("First");
  // Counting doesn't change the version, and a client that sends no version overwrites.
  expect((await admin.call("PUT", path, { advertiserId, name: "Third" })).status).toBe(200);

  const [{ version }] = (await admin.call("GET", "/api/advertisers")).json.advertisers;
  const rename = (name: string) =>
    admin.call("PUT", `/api/advertisers/${advertiserId}`, { name, version });
  expect((await rename("Acme & Sons")).status).toBe(200);
  expect((await rename("Acme & Daughters")).json.code).toBe("edit_conflict");
});

test.each([
  [{ goal: "share", goalAmount: 101 }, "goalAmount"],
  [{ goal: "clicks" }, "goalAmount"],
  [{ priceModel: "cpm" }, "price"],
  [{ priceModel: "flat", price: 5, budget: 5 }, "budget"],
  [{ priceModel: "cpc", price: 5, budget: 4.99 }, "budget"],
  [{ startDate: "2026-05-05", endDate: "2026-05-05" }, "endDate"],
  [{ targetHours: ["mon 18-08"] }, "targetHours.0"],
  [{ targetCountries: ["Germany"] }, "targetCountries.0"],
  [{ advertiserId: "0198aaaa-0000-7000-8000-000000000001" }, "advertiserId"],
])("refuses a campaign with %j", async (values, field) => {
  const body = { advertiserId, name: "Wrong", ...values };
  const { status, text } = await admin.call("POST", "/api/campaigns", body);
  expect([status, text]).toEqual([400, expect.stringContaining(field)]);
});

test("prefers sponsorships, then standard campaigns, then house campaigns and ads without a campaign", async () => {
  await addAd({ title: "Alone" });
  await addAd({ title: "Substitute", isHouse: true });
  expect((await ask()).titles).toEqual(["Alone"]);
  const standard = await addCampaign();
  await addAd({ title: "Standard", campaignId: standard.id });
  expect((await ask()).titles).toEqual(["Standard"]);
  const sponsor = await addCampaign({ priority: "sponsorship" });
  await addAd({ title: "Sponsor", campaignId: sponsor.id });
  expect((await ask()).titles).toEqual(["Sponsor"]);

  const body = { advertiserId, name: "Autumn", priority: "sponsorship", isActive: false };
  await admin.call("PUT", `/api/campaigns/${sponsor.id}`, body);
  expect((await ask()).titles).toEqual(["Standard"]);
  const over = { advertiserId, name: "Autumn", endDate: new Date(nowMs - 1000).toISOString() };
  await admin.call("PUT", `/api/campaigns/${standard.id}`, over);
  expect((await ask()).titles).toEqual(["Alone"]);
});

test.each<[string, object, string, Record<string, string>]>([
  ["category", { targetCategories: ["news"] }, "&category=sport,news", {}],
  ["tag", { targetTags: ["rain"] }, "&tag=rain", {}],
  ["device", { targetDevices: ["tablet"] }, "&device=tablet", {}],
  ["language", { targetLanguages: ["de"] }, "", { "accept-language": "de-CH" }],
  ["country", { targetCountries: ["DE"] }, "", { "x-country": "de" }],
])("shows a campaign for a %s to no other visitor", async (_name, targets, query, headers) => {
  const { id } = await addCampaign(targets);
  await addAd({ campaignId: id });
  expect((await ask()).titles).toEqual([]);
  expect((await ask(query, headers)).titles).toEqual(["Ad"]);
});

test("shows a campaign only during its hours of the week and to visitors who came by its link", async () => {
  const office = await addCampaign({ targetHours: ["mon-fri 08-18"] });
  await addAd({ title: "Office", campaignId: office.id });
  expect((await ask()).titles).toEqual(["Office"]);
  nowMs += 7 * 3_600_000;
  expect((await ask()).titles).toEqual([]);
  nowMs -= 7 * 3_600_000;
  const body = { advertiserId, name: "Autumn", targetReferrals: ["flyer"] };
  await admin.call("PUT", `/api/campaigns/${office.id}`, body);
  const link = await post("/api/referrals", { name: "Flyer", code: "flyer", target: "/" });
  const visitor = createClient(app.url);
  expect((await ask("", {}, visitor)).titles).toEqual([]);
  await visitor.call("POST", "/api/visits", { ref: "flyer" }, browser);
  await expect.poll(async () => (await ask("", {}, visitor)).titles).toEqual(["Office"]);
  await admin.call("PUT", `/api/referrals/${link.id}`, { code: "leaflet" });
  expect((await ask("", {}, visitor)).titles).toEqual(["Office"]);
  const { json } = await admin.call("GET", `/api/campaigns/${office.id}`);
  expect(json.campaign.targetReferrals).toEqual(["leaflet"]);
});

test("limits a campaign's ads per visitor and day to its cap", async () => {
  const { id } = await addCampaign({ visitorDailyCap: 2 });
  for (const title of ["One", "Two", "Three"]) await addAd({ title, campaignId: id });
  const visitor = createClient(app.url);
  const show = async (who = visitor) => {
    const path = "/api/spots/public?placement=header";
    const { ads, serve } = (await who.call("GET", path, undefined, browser)).json;
    if (ads.length === 0) return false;
    const impression = `/api/spots/${ads[0].id}/impression`;
    return (await who.call("POST", impression, { serve }, browser)).json.counted;
  };
  const other = createClient(app.url);
  expect([await show(), await show(), await show(), await show(other)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  // Concurrent requests can't exceed the cap either.
  const fresh = createClient(app.url);
  await ask("&placement=footer", {}, fresh);
  const lists = await Promise.all(Array.from({ length: 6 }, () => ask("", {}, fresh)));
  expect(lists.filter(({ titles }) => titles.length > 0).length).toBeLessThanOrEqual(2);
  nowMs += dayMs;
  expect(await show()).toBe(true);
  nowMs -= dayMs;
});

test("never shows competitors in one response or on one page", async () => {
  for (const name of ["One", "Two", "Three"]) {
    const { id } = await addCampaign({ separation: "Cars" });
    await addAd({ title: name, campaignId: id, placement: "feed" });
    await addAd({ title: name, campaignId: id });
  }
  const feed = await createClient(app.url).call("GET", "/api/spots/public?placement=feed&limit=5");
  expect(feed.json.ads).toHaveLength(1);
  const key = feed.json.ads[0].id.slice(-12);
  expect((await ask()).titles).toHaveLength(1);
  expect((await ask(`&beside=${key}`)).titles).toEqual([]);
});

test("keeps an ad with statistics in its campaign, and refuses an unknown campaign", async () => {
  const { id } = await addCampaign();
  const other = await addCampaign({ name: "Other" });
  const ad = await addAd({ campaignId: id });
  const unknown = { campaignId: advertiserId };
  expect((await admin.call("PUT", `/api/ads/${ad.id}`, unknown)).status).toBe(400);
  expect((await admin.call("PUT", `/api/ads/${ad.id}`, { campaignId: other.id })).status).toBe(200);
  const { send } = await ask();
  expect((await send(ad.id, "impression")).json).toEqual({ counted: true });
  expect((await admin.call("PUT", `/api/ads/${ad.id}`, { campaignId: null })).status).toBe(409);
  expect((await admin.call("DELETE", `/api/ads/${ad.id}`)).status).toBe(409);
});

test("sums up counts in reports, with requests, revenue and errors by cause", async () => {
  const cpm = await addCampaign({ name: "By views", priceModel: "cpm", price: 500, budget: 0.75 });
  const cpc = await addCampaign({
    name: "By clicks",
    priceModel: "cpc",
    price: 2,
    currency: "USD",
  });
  const shown = await addAd({ title: "Shown", campaignId: cpm.id });
  const clicked = await addAd({ title: "Clicked", campaignId: cpc.id, placement: "footer" });
  const alone = await addAd({ title: "Alone", placement: "sidebar" });
  for (const [ad, placement] of [
    [shown, "header"],
    [clicked, "footer"],
    [alone, "sidebar"],
  ] as const) {
    // The budget pays for one impression, and the second one was in flight.
    const asked = [];
    for (let at = 0; at < 2; at += 1) asked.push(await ask(`&placement=${placement}`));
    for (const { send } of asked.slice(0, ad === shown ? 1 : 2)) {
      await send(ad.id, "impression");
      // An ad is viewable one second after its impression.
      nowMs += 1000;
      await send(ad.id, "event", { event: "viewable" });
      await send(ad.id, "event", { event: "error", cause: "timeout" });
      await send(ad.id, "click");
    }
  }
  await createClient(app.url).call("GET", "/api/spots/public?placement=header");
  // Writes the request sums, which are otherwise written every second.
  await app.context.ads.drain?.();
  const report = async (query: string) => (await admin.call("GET", `/api/ad-report?${query}`)).json;

  const all = await report("group=campaign&days=7");
  expect(all.totals).toMatchObject({
    requests: 6,
    filled: 5,
    robotRequests: 1,
    impressions: 5,
    viewable: 5,
    clicks: 5,
    errors: 5,
    revenue: [
      { currency: "EUR", amount: 0.5, ecpm: 500 },
      { currency: "USD", amount: 4, ecpm: 2000 },
    ],
  });
  expect(all.errorCauses).toEqual([{ cause: "timeout", count: 5 }]);
  expect(all.rows.map((row: Row) => [row.name, row.impressions, row.requests])).toEqual([
    ["", 2, null],
    ["By clicks", 2, null],
    ["By views", 1, null],
  ]);
  const days = await report("group=day&days=3");
  expect(days.rows.map((row: Row) => [row.name, row.impressions, row.requests])).toEqual([
    ["2026-05-02", 0, 0],
    ["2026-05-03", 0, 0],
    ["2026-05-04", 5, 6],
  ]);
  await admin.call("PUT", `/api/ads/${clicked.id}`, { placement: "sidebar" });
  const ofFooter = await report("group=placement&placement=footer");
  expect(ofFooter.rows).toMatchObject([{ key: "footer", impressions: 2, requests: 2, filled: 2 }]);
  expect(ofFooter.errorCauses).toEqual([{ cause: "timeout", count: 2 }]);
  const ofOne = await report(`group=ad&campaign=${cpc.id}`);
  const names = { name: "Clicked", campaign: "By clicks", advertiser: "Acme" };
  expect(ofOne.rows).toMatchObject([{ ...names, clicks: 2, revenue: [{ amount: 4 }] }]);
  const raw = await app.db.selectFrom("ad_serve_events").select("event").execute();
  expect(raw.filter(({ event }) => event === "impression")).toHaveLength(5);
  const csv = await fetch(`${app.url}/api/ad-report.csv?group=advertiser`, {
    headers: { cookie: await app.signIn() },
  });
  const bytes = Buffer.from(await csv.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = bytes.subarray(3).toString();
  // Other people's programs read these columns: new ones are appended, and none may move.
  expect(text.split("\r\n")[0]).toBe(
    "key,name,campaign,advertiser,requests,filled,robot_requests,impressions,unverified_impressions,robot_impressions,viewable,clicks,unverified_clicks,robot_clicks,starts,first_quartiles,midpoints,third_quartiles,completes,skips,errors,ctr_percent,revenue,ecpm",
  );
  expect(text).toContain("0.50 EUR + 4.00 USD");
});

test("returns 400 for days of a report that aren't dates", async () => {
  for (const query of [
    ...["from=x&to=2026-05-04", "from=%00&to=2026-05-04", "from=2026-05-04&to=x"],
    "from=0000-01-01&to=0000-01-01",
  ]) {
    const { status, json } = await admin.call("GET", `/api/ad-report?${query}`);
    expect({ query, status, code: json.code }).toEqual({ query, status: 400, code: "invalid" });
  }
});

test("distinguishes draft, scheduled, running, paused and completed campaigns", async () => {
  const at = (days: number) => new Date(nowMs + days * dayMs).toISOString();
  const stateOf = async (id: string) =>
    (await admin.call("GET", `/api/campaigns/${id}`)).json.campaign.state;
  const state = async (values: object) => (await addCampaign(values)).state;
  expect(await state({ isActive: false })).toBe("draft");
  expect(await state({ startDate: at(1) })).toBe("scheduled");
  expect(await state({ endDate: at(1) })).toBe("running");
  expect(await state({ startDate: at(-2), endDate: at(-1) })).toBe("completed");
  const { id } = await addCampaign({ goal: "impressions", goalAmount: 1 });
  const ad = await addAd({ campaignId: id });
  expect(await stateOf(id)).toBe("running");
  await (await ask()).send(ad.id, "impression");
  expect(await stateOf(id)).toBe("completed");
  const values = { advertiserId, name: "Autumn", goal: "impressions", goalAmount: 5 };
  await admin.call("PUT", `/api/campaigns/${id}`, { ...values, isActive: false });
  expect(await stateOf(id)).toBe("paused");
});

interface Earned {
  name: string;
  revenue: { amount: number; currency: string }[];
}
async function earned(query: string): Promise<Record<string, number>> {
  const { rows } = (await admin.call("GET", `/api/ad-report?days=30&${query}`)).json;
  return Object.fromEntries(
    rows
      .filter(({ revenue }: Earned) => (revenue[0]?.amount ?? 0) > 0)
      .map(({ name, revenue }: Earned) => [name, revenue[0]?.amount]),
  );
}
async function goTo(ms: number): Promise<void> {
  nowMs = ms;
  admin = createClient(app.url, await app.signIn());
}
const atDay = (day: number) => new Date(Date.UTC(2026, 6, day)).toISOString();

test("books a flat price once for each day and keeps past days after a change", async () => {
  await goTo(Date.UTC(2026, 6, 1, 9));
  const values = { name: "Flat", priceModel: "flat", startDate: atDay(1), endDate: atDay(6) };
  const { id } = await addCampaign({ ...values, price: 50 });
  const ads = [
    await addAd({ campaignId: id }),
    await addAd({ campaignId: id, placement: "footer" }),
  ];
  expect(await earned("group=day")).toEqual({ "2026-07-01": 10 });
  for (const [at, ad] of [ads[0], ads[0], ads[0], ads[1]].entries()) {
    const { send } = await ask(at < 3 ? "" : "&placement=footer");
    expect((await send(ad.id, "impression")).json.counted).toBe(true);
  }
  // Impressions share the price of their day, and change no other figure.
  expect(await earned("group=placement")).toEqual({ header: 7.5, footer: 2.5 });
  nowMs += 2 * dayMs;
  const before = await earned("group=day");
  expect(before).toEqual({ "2026-07-01": 10, "2026-07-02": 10, "2026-07-03": 10 });
  const path = `/api/campaigns/${id}`;
  await admin.call("PUT", path, { advertiserId, ...values, price: 90 });
  expect(await earned("group=day")).toEqual(before);
  nowMs += dayMs;
  expect(await earned("group=day")).toEqual({ ...before, "2026-07-04": 30 });
  await admin.call("PUT", path, { advertiserId, ...values, price: 90, isActive: false });
  nowMs += dayMs;
  expect(await earned("group=day")).toEqual({ ...before, "2026-07-04": 30 });
  await admin.call("PUT", path, { advertiserId, ...values, price: 90 });
  await goTo(nowMs + 10 * dayMs);
  // The last day was over while the campaign was off.
  expect(await earned("group=campaign")).toEqual({ Flat: 60 });
  expect((await admin.call("GET", path)).json.campaign.revenue).toBe(60);
  await admin.call("PUT", path, { advertiserId, ...values, price: 90, currency: "USD" });
  expect((await admin.call("GET", path)).json.campaign.revenue).toBe(0);
});

test("books a flat price without an end on the first day", async () => {
  await goTo(Date.UTC(2026, 6, 1, 9));
  const values = { name: "Open", priceModel: "flat", price: 70, startDate: atDay(1) };
  const path = `/api/campaigns/${(await addCampaign(values)).id}`;
  await goTo(nowMs + 5 * dayMs);
  expect(await earned("group=day")).toEqual({ "2026-07-01": 70 });
  expect(await earned("group=advertiser")).toEqual({ Acme: 70 });
  await admin.call("PUT", path, { advertiserId, ...values, currency: "USD" });
  expect((await admin.call("GET", path)).json.campaign.revenue).toBe(0);
});

test("counts days, caps and prices in the time zone of ads, across the end of a month", async () => {
  const setZone = async (timeZone: string) => {
    expect((await admin.call("POST", "/api/settings", { timeZone })).json.timeZone).toBe(timeZone);
  };
  // 22:00 in New York on October 31, when it is November in UTC.
  await goTo(Date.UTC(2026, 10, 1, 2));
  await setZone("America/New_York");
  const dates = { startDate: "2026-10-31T04:00:00Z", endDate: "2026-11-02T05:00:00Z" };
  const { id } = await addCampaign({ name: "Flat", priceModel: "flat", price: 30, ...dates });
  await addAd({ campaignId: id, placement: "footer" });
  const capped = await addCampaign({ name: "Capped", dailyCap: 1 });
  const ad = await addAd({ campaignId: capped.id });
  const show = async () => {
    const { titles, send } = await ask();
    return titles.length > 0 && (await send(ad.id, "impression")).json.counted;
  };
  expect([await show(), await show()]).toEqual([true, false]);
  nowMs += 3 * 3_600_000;
  expect([await show(), await show()]).toEqual([true, false]);
  // The clocks go back on November 1, which has 25 hours.
  nowMs += 23 * 3_600_000;
  expect(await show()).toBe(false);
  nowMs += 2 * 3_600_000;
  expect(await show()).toBe(true);

  admin = createClient(app.url, await app.signIn());
  const month = async (range: string) =>
    (await admin.call("GET", `/api/ad-report?group=day&${range}`)).json;
  // Writes the request sums, which are otherwise written every second.
  await app.context.ads.drain?.();
  const october = await month("from=2026-10-01&to=2026-10-31");
  expect(october.timeZone).toBe("America/New_York");
  expect(october.rows).toHaveLength(31);
  expect(october.rows.at(-1)).toMatchObject({ key: "2026-10-31", impressions: 1, requests: 2 });
  expect(october.totals).toMatchObject({ impressions: 1, revenue: [{ amount: 15 }] });
  const november = await month("from=2026-11-01&to=2026-11-30");
  expect(november.totals).toMatchObject({ impressions: 2, revenue: [{ amount: 15 }] });
  expect((await month("days=2")).rows.map(({ key }: { key: string }) => key)).toEqual([
    "2026-11-01",
    "2026-11-02",
  ]);
  for (const range of [
    "from=2026-10-01",
    "from=2026-10-02&to=2026-10-01",
    "from=1990-01-01&to=2026-01-01",
    "from=2026-02-30&to=2026-03-01",
  ]) {
    expect((await admin.call("GET", `/api/ad-report?${range}`)).status).toBe(400);
  }
  // Counted days keep their zone.
  await setZone("UTC");
  expect((await month("from=2026-10-01&to=2026-10-31")).totals.impressions).toBe(1);
  for (const timeZone of ["Mars/Base", "+02:00", ""]) {
    expect((await admin.call("POST", "/api/settings", { timeZone })).status).toBe(400);
  }
});

test("keeps the price of past impressions and stays within the budget", async () => {
  await goTo(Date.UTC(2026, 6, 1, 9));
  const values = { name: "By views", priceModel: "cpm", budget: 10, hasEvenPacing: false };
  const { id } = await addCampaign({ ...values, price: 1000 });
  const ad = await addAd({ campaignId: id });
  const show = async (times: number) => {
    let counted = 0;
    for (let at = 0; at < times; at += 1) {
      nowMs += 2000;
      const { titles, send } = await ask();
      if (titles.length > 0 && (await send(ad.id, "impression")).json.counted) counted += 1;
    }
    return counted;
  };
  expect(await show(2)).toBe(2);
  nowMs += dayMs;
  await admin.call("PUT", `/api/campaigns/${id}`, { advertiserId, ...values, price: 4000 });
  expect(await earned("group=day")).toEqual({ "2026-07-01": 2 });
  // 8 of the budget are left: two at the new price.
  expect(await show(4)).toBe(2);
  expect(await earned("group=day")).toEqual({ "2026-07-01": 2, "2026-07-02": 8 });
  expect(await earned("group=ad")).toEqual({ Ad: 10 });
});

test("shows the figures of one advertiser at a secret address until it is revoked", async () => {
  const rival = await post("/api/advertisers", { name: "Rival" });
  const own = await addCampaign({ name: "Own" });
  const other = await addCampaign({ name: "Secret plan", advertiserId: rival.id });
  for (const { id } of [own, other]) {
    const ad = await addAd({ campaignId: id });
    await expect
      .poll(async () => {
        const { send } = await ask();
        return (await send(ad.id, "impression")).json.counted;
      })
      .toBe(true);
  }
  const { key } = await post(`/api/advertisers/${advertiserId}/share`, {});
  const read = (secret: string) =>
    createClient(app.url).call("POST", "/api/spots/shared-report", { key: secret });
  const { status, json, text } = await read(key);
  expect([status, json.advertiser]).toEqual([200, "Acme"]);
  expect(json.campaigns.rows).toMatchObject([{ name: "Own", impressions: 1 }]);
  expect(json.days.totals.impressions).toBe(1);
  expect(text).not.toContain("Secret plan");
  const list = (await admin.call("GET", "/api/advertisers")).text;
  expect(list).not.toContain(key);
  await admin.call("DELETE", `/api/advertisers/${advertiserId}/share`);
  expect((await read(key)).status).toBe(404);
  expect((await read("")).status).toBe(400);
});

test("forecasts results as the count divided by the elapsed share of the time", async () => {
  const dates = {
    startDate: new Date(nowMs - dayMs).toISOString(),
    endDate: new Date(nowMs + 3 * dayMs).toISOString(),
  };
  const { id } = await addCampaign({ ...dates, goal: "impressions", goalAmount: 8 });
  const ad = await addAd({ campaignId: id });
  const { send } = await ask();
  await send(ad.id, "impression");
  const { campaign } = (await admin.call("GET", `/api/campaigns/${id}`)).json;
  expect(campaign.forecast).toEqual({ percent: 50, expected: 4, goal: 8, elapsedPercent: 25 });
});
