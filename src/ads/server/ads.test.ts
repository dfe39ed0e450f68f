import { beforeAll, describe, expect, test } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { adListQuery } from "../contract/ads.ts";

let visitor: ReturnType<typeof createClient>;

const app = useTestApp();
const admin = useClient(app);
beforeAll(async () => {
  visitor = createClient(app.url);
});

const banner = { title: "Sale", type: "banner", placement: "header" };
const publicAds = async (query: string, client = visitor) =>
  (await client.call("GET", `/api/spots/public?${query}`)).json;
const titles = async (query: string, client = visitor) =>
  (await publicAds(query, client)).ads.map((ad: { title: string }) => ad.title).toSorted();

/** Browser headers. The test's own user agent would count as a bot. */
const browser = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
};
/** Requests the header's ads and reports an impression of this one. @returns whether it counted. */
async function show(id: string, client = visitor, headers: Record<string, string> = browser) {
  const { serve } = await publicAds("placement=header", client);
  const response = await client.call("POST", `/api/spots/${id}/impression`, { serve }, headers);
  return response.json.counted;
}

async function create(values: Record<string, unknown>) {
  const response = await admin.call("POST", "/api/ads", { ...banner, ...values });
  expect(response.status).toBe(201);
  return response.json;
}

async function removeAll() {
  const { ads } = (await admin.call("GET", "/api/ads")).json;
  for (const { id } of ads) await admin.call("DELETE", `/api/ads/${id}`);
}

describe("administration", () => {
  test("creates an ad, lists it with its counts, changes and deletes it", async () => {
    await removeAll();
    const created = await create({ linkUrl: "https://example.com/a?b=c", description: "  " });
    expect(created).toMatchObject({
      ...banner,
      linkUrl: "https://example.com/a?b=c",
      description: null,
      isActive: true,
      trust: "isolated",
      impressionCount: 0,
      clickCount: 0,
      ctr: 0,
    });
    const changed = await admin.call("PUT", `/api/ads/${created.id}`, { isActive: false });
    expect(changed.json).toMatchObject({ ...banner, isActive: false, linkUrl: created.linkUrl });
    expect(await titles("placement=header")).toEqual([]);

    expect((await admin.call("DELETE", `/api/ads/${created.id}`)).status).toBe(204);
    expect((await admin.call("GET", `/api/ads/${created.id}`)).status).toBe(404);
    expect((await admin.call("DELETE", `/api/ads/${created.id}`)).status).toBe(404);
    expect((await admin.call("PUT", "/api/ads/none", { title: "x" })).status).toBe(404);
  });

  test("filters the list by text, type, placement and state", async () => {
    await removeAll();
    await create({ title: "Red 100%" });
    await create({ title: "Blue", description: "a red_herring", isActive: false });
    await create({ title: "Green", type: "popup", placement: "footer" });
    const list = async (query: string) =>
      (await admin.call("GET", `/api/ads?${query}`)).json.ads.map(
        (ad: { title: string }) => ad.title,
      );
    expect(await list("")).toEqual(["Green", "Blue", "Red 100%"]);
    expect(await list("search=RED")).toEqual(["Blue", "Red 100%"]);
    expect(await list("search=0%25")).toEqual(["Red 100%"]);
    expect(await list("search=d_h")).toEqual(["Blue"]);
    expect(await list("type=popup")).toEqual(["Green"]);
    expect(await list("placement=header&active=true")).toEqual(["Red 100%"]);
    expect(await list("active=false&type=&search=&placement=")).toEqual(["Blue"]);
    expect(adListQuery.safeParse({ active: "yes" }).success).toBe(false);
  });

  test.each([
    [{ title: " " }, "title"],
    [{ type: undefined }, "type"],
    [{ type: "skyscraper" }, "type"],
    [{ placement: undefined }, "placement"],
    [{ imageUrl: "not an address" }, "imageUrl"],
    [{ imageUrl: "//evil.example/x.png" }, "imageUrl"],
    [{ linkUrl: "javascript:alert(1)" }, "linkUrl"],
    [{ linkUrl: "data:text/html,x" }, "linkUrl"],
    [{ vastTagUrl: "ftp://example.com/a", type: "video" }, "vastTagUrl"],
    [{ vastTagUrl: "https://example.com/tag" }, "vastTagUrl"],
    [{ startDate: "tomorrow" }, "startDate"],
    [{ endDate: "9999-12-31T23:59:59-14:00" }, "endDate"],
    [{ startDate: "0000-01-01" }, "startDate"],
    [{ startDate: "2026-05-02T00:00", endDate: "2026-05-01T00:00" }, "endDate"],
    [{ isActive: "yes" }, "isActive"],
    [{ weight: 0 }, "weight"],
    [{ dailyLimit: 1.5 }, "dailyLimit"],
    [{ targetDevices: ["watch"] }, "targetDevices.0"],
    [{ targetLanguages: ["english"] }, "targetLanguages.0"],
    [{ origins: ["https://*"] }, "origins.0"],
    [{ origins: ["https://*.com"] }, "origins.0"],
    [{ origins: ["https://*.co.uk"] }, "origins.0"],
    [{ origins: ["https://a.example", "http://b.example"] }, "origins.1"],
    [{ origins: ["https://a.example/tag.js"] }, "origins.0"],
    [{ origins: ["https://a.example;sandbox"] }, "origins.0"],
    [{ origins: ["'unsafe-inline'"] }, "origins.0"],
    [{ origins: [`https://${"a".repeat(100)}.example`] }, "origins.0"],
    [{ origins: Array.from({ length: 21 }, (_, at) => `https://${at}.example`) }, "origins"],
  ])("refuses %o at %s", async (values, path) => {
    const response = await admin.call("POST", "/api/ads", { ...banner, ...values });
    expect(response.status).toBe(400);
    expect(response.json.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(response.json.message).not.toBe("");
  });

  test("treats empty form fields as absent, and accepts dates in several formats", async () => {
    const created = await create({
      type: "video",
      placement: "preroll",
      imageUrl: "",
      linkUrl: null,
      vastTagUrl: "https://example.com/video.mp4",
      startDate: "2026-05-01T10:00",
      endDate: "2026-05-01T12:00:00+01:00",
    });
    expect(created).toMatchObject({
      imageUrl: null,
      startDate: "2026-05-01T10:00:00.000Z",
      endDate: "2026-05-01T11:00:00.000Z",
    });
    // A change of type removes the video address. Setting both at once is contradictory.
    const both = { type: "banner", vastTagUrl: "https://example.com/video.mp4" };
    expect((await admin.call("PUT", `/api/ads/${created.id}`, both)).status).toBe(400);
    const banners = await admin.call("PUT", `/api/ads/${created.id}`, { type: "banner" });
    expect(banners.json).toMatchObject({ type: "banner", vastTagUrl: null });
    const early = await admin.call("PUT", `/api/ads/${created.id}`, { endDate: "2026-04-01" });
    expect(early.json.issues[0].path).toBe("endDate");
  });

  test("allows only administrators, and logs every change, with trust as a separate action", async () => {
    const user = createClient(app.url, await app.signIn("USER"));
    for (const [client, status] of [
      [visitor, 401],
      [user, 403],
    ] as const) {
      expect((await client.call("GET", "/api/ads")).status).toBe(status);
      expect((await client.call("POST", "/api/ads", banner)).status).toBe(status);
      expect((await client.call("POST", "/api/ads/vast-test", { url: "http://a/" })).status).toBe(
        status,
      );
    }
    const created = await create({ trust: "page" });
    await admin.call("PUT", `/api/ads/${created.id}`, { trust: "isolated" });
    await admin.call("DELETE", `/api/ads/${created.id}`);
    const log = await app.db
      .selectFrom("audit_log")
      .select("action")
      .where("entity_id", "=", created.id)
      .orderBy("id")
      .execute();
    expect(log.map((line) => line.action)).toEqual([
      "ad.created",
      "ad.trusted",
      "ad.updated",
      "ad.isolated",
      "ad.deleted",
    ]);
  });
});

test("refuses a trusted ad whose script could change the pages' policy", async () => {
  const content = '<script src="https://x.example;sandbox/x.js"></script>';
  const trusted = { ...banner, trust: "page", content };
  const refused = await admin.call("POST", "/api/ads", trusted);
  expect(refused.status).toBe(400);
  expect(refused.json.issues[0].path).toBe("content");
  const isolated = await create({ content });
  const change = await admin.call("PUT", `/api/ads/${isolated.id}`, { trust: "page" });
  expect(change.status).toBe(400);
  expect((await admin.call("GET", `/api/ads/${isolated.id}`)).json.trust).toBe("isolated");
  await admin.call("DELETE", `/api/ads/${isolated.id}`);
});

describe("the public list", () => {
  test("lists active ads within their dates that match the placement and type", async () => {
    await removeAll();
    const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString();
    await create({ title: "now", startDate: hour(-1), endDate: hour(1) });
    await create({ title: "open" });
    await create({ title: "later", startDate: hour(1) });
    await create({ title: "over", endDate: hour(-1) });
    await create({ title: "off", isActive: false });
    await create({ title: "video", type: "video", placement: "feed" });
    await create({ title: "popup", type: "popup", placement: "feed" });
    expect(await titles("placement=header")).toEqual(["now", "open"]);
    expect(await titles("placement=feed&type=banner,video&limit=5")).toEqual(["video"]);
    expect(await titles("type=video&limit=3")).toEqual(["video"]);
    expect(await titles("placement=feed&type=video,popup")).toEqual(["popup", "video"]);
    expect(await titles("")).toEqual(["now", "open", "popup", "video"]);
    expect((await visitor.call("GET", "/api/ads/public?placement=header")).json.ads).toHaveLength(
      2,
    );
    const [ad] = (await publicAds("type=popup")).ads;
    expect(Object.keys(ad).toSorted()).toEqual([
      "content",
      "description",
      "heightPx",
      "id",
      "imageUrl",
      "isBumper",
      "linkUrl",
      "placement",
      "title",
      "trust",
      "type",
      "vastTagUrl",
      "widthPx",
    ]);
  });

  test.each([
    "placement=roof",
    "type=banner,tv",
    "limit=0",
    "limit=101",
    "limit=x",
    "device=watch",
  ])("refuses %s", async (query) => {
    expect((await visitor.call("GET", `/api/spots/public?${query}`)).status).toBe(400);
  });

  test("returns no more ads than the limit, and every ad over time", async () => {
    await removeAll();
    for (let at = 0; at < 8; at += 1) await create({ title: `ad ${at}` });
    const seen = new Set<string>();
    for (let at = 0; at < 40; at += 1) {
      const { ads } = await publicAds("placement=header&limit=3");
      expect(ads).toHaveLength(3);
      for (const ad of ads) seen.add(ad.title);
    }
    expect(seen.size).toBe(8);
  });

  test("applies a change in the next response", async () => {
    await removeAll();
    const created = await create({ title: "first" });
    for (const title of ["second", "third"]) {
      await admin.call("PUT", `/api/ads/${created.id}`, { title });
      expect(await titles("placement=header")).toEqual([title]);
    }
  });

  test("applies rules for device, language, category and house ads", async () => {
    await removeAll();
    await create({ title: "phones", targetDevices: ["phone"] });
    await create({ title: "germans", targetLanguages: ["de"] });
    await create({ title: "cooks", targetCategories: ["Cooking"] });
    await create({ title: "house", isHouse: true });
    const ask = async (query: string, headers: Record<string, string> = {}) =>
      (
        await visitor.call("GET", `/api/spots/public?placement=header&${query}`, undefined, headers)
      ).json.ads
        .map((ad: { title: string }) => ad.title)
        .toSorted();
    expect(await ask("")).toEqual(["house"]);
    expect(await ask("device=phone")).toEqual(["phones"]);
    expect(await ask("", { "user-agent": "Mozilla/5.0 (iPhone; CPU) Mobile" })).toEqual(["phones"]);
    expect(await ask("", { "accept-language": "fr;q=0.9, de-CH" })).toEqual(["germans"]);
    expect(await ask("category=travel,cooking&device=phone")).toEqual(["cooks", "phones"]);
    const tags = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(80, "a")).join();
    expect(await ask(`category=cooking&tag=${tags}`)).toEqual(["cooks"]);
  });

  test("leaves out ads that the visitor has hidden and ignores other text in the cookie", async () => {
    await removeAll();
    const stopped = await create({ title: "stopped" });
    await create({ title: "other" });
    const ask = async (cookie: string) => {
      const response = await visitor.call("GET", "/api/spots/public", undefined, { cookie });
      return response.json.ads.map(({ title }: { title: string }) => title);
    };
    const key = stopped.id.slice(-12);
    expect(await ask(`stopped_spots=zz.${key}.%00<script>`)).toEqual(["other"]);
    expect(await ask(`stopped_spots=${"x".repeat(4000)}`)).toHaveLength(2);
  });

  test("describes the audience of a live ad", async () => {
    const { id } = await create({ targetLanguages: ["de"], targetDevices: ["phone"] });
    const { json, headers } = await visitor.call("GET", `/api/spots/${id}/targets`);
    // A country may be blocked, so a CDN must not cache it.
    expect(headers.get("cache-control")).toBe("private, max-age=60");
    expect(json).toMatchObject({ languages: ["de"], devices: ["phone"], categories: [] });
    await admin.call("PUT", `/api/ads/${id}`, { isActive: false });
    expect((await visitor.call("GET", `/api/spots/${id}/targets`)).status).toBe(404);
  });

  test("applies a cap per visitor and a daily limit to verified impressions", async () => {
    await removeAll();
    const capped = await create({ title: "capped", visitorDailyCap: 2 });
    const one = createClient(app.url);
    for (let at = 0; at < 2; at += 1) {
      expect(await titles("placement=header", one)).toEqual(["capped"]);
      expect(await show(capped.id, one)).toBe(true);
    }
    expect(await titles("placement=header", one)).toEqual([]);
    expect(await titles("placement=header", createClient(app.url))).toEqual(["capped"]);

    await removeAll();
    const limited = await create({ title: "limited", dailyLimit: 3, hasEvenPacing: false });
    await visitor.call("POST", `/api/spots/${limited.id}/impression`, undefined, browser);
    expect(await show(limited.id, visitor, { "user-agent": "Googlebot/2.1" })).toBe(true);
    for (let at = 0; at < 3; at += 1) {
      expect(await titles("placement=header")).toEqual(["limited"]);
      expect(await show(limited.id)).toBe(true);
    }
    // A client that looks like a bot reserves nothing, so it sees counts that are a second old.
    await expect.poll(() => titles("placement=header"), { timeout: 10_000 }).toEqual([]);
  });
});

describe("the VAST documents of an ad", () => {
  test("fetches nothing from private addresses, and responds with 404 for ads without a tag", async () => {
    await removeAll();
    const tag = { type: "video", placement: "preroll", vastTagUrl: `${app.url}/healthz` };
    const { id } = await create(tag);
    const refused = await visitor.call("GET", `/api/spots/${id}/documents`);
    expect(refused.json.documents).toMatchObject([{ text: null, problem: "refused" }]);
    const plain = await create({});
    expect((await visitor.call("GET", `/api/spots/${plain.id}/documents`)).status).toBe(404);
  });
});

describe("counting", () => {
  test("refuses a call made by another site", async () => {
    const created = await create({});
    const foreign: Record<string, string>[] = [
      { origin: "null" },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const response = await visitor.call(
        "POST",
        `/api/spots/${created.id}/impression`,
        undefined,
        headers,
      );
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});
