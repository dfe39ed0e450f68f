import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { adListQuery } from "../../../contract/ads.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
let visitor: ReturnType<typeof createClient>;

beforeAll(async () => {
  app = await startTestApp();
  admin = createClient(app.url, await app.signIn());
  visitor = createClient(app.url);
});
afterAll(async () => {
  await app.stop();
});

const banner = { title: "Sale", type: "banner", placement: "header" };
const publicAds = async (query: string, client = visitor) =>
  (await client.call("GET", `/api/spots/public?${query}`)).json;
const titles = async (query: string, client = visitor) =>
  (await publicAds(query, client)).ads.map((ad: { title: string }) => ad.title).toSorted();

/** A browser. Without this header the test's own user agent is that of a robot. */
const browser = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
};
/** Requests the ads of the header and reports an impression of this one. @returns whether it counted. */
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
  test("an ad is created, listed with its counts, changed and deleted", async () => {
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

  test("the four filters narrow the list", async () => {
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
  ])("%o is refused at %s", async (values, path) => {
    const response = await admin.call("POST", "/api/ads", { ...banner, ...values });
    expect(response.status).toBe(400);
    expect(response.json.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(response.json.message).not.toBe("");
  });

  test("empty fields of a form are absent values, dates are accepted in several formats", async () => {
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
    // A change of type takes the video address with it; both at once contradict each other.
    const both = { type: "banner", vastTagUrl: "https://example.com/video.mp4" };
    expect((await admin.call("PUT", `/api/ads/${created.id}`, both)).status).toBe(400);
    const banners = await admin.call("PUT", `/api/ads/${created.id}`, { type: "banner" });
    expect(banners.json).toMatchObject({ type: "banner", vastTagUrl: null });
    const early = await admin.call("PUT", `/api/ads/${created.id}`, { endDate: "2026-04-01" });
    expect(early.json.issues[0].path).toBe("endDate");
  });

  test("only administrators may; the audit log has every change, and trust as its own action", async () => {
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
    const log = await app.database.db
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

test("a trusted ad is refused whose script could change the policy of the pages", async () => {
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

test("an ad that runs in the page is listed for visitors who accepted it", async () => {
  await removeAll();
  await create({ title: "in the page", content: "<i>x</i>", trust: "page", placement: "sidebar" });
  await create({ title: "in a frame", content: "<i>x</i>", placement: "sidebar" });
  const seenWith = async (cookie: string) =>
    titles("placement=sidebar", createClient(app.url, cookie));
  expect(await seenWith("consent=yes")).toEqual(["in a frame", "in the page"]);
  for (const cookie of ["", "consent=no", "consent=%3Cscript%3E", `consent=${"y".repeat(3000)}`]) {
    expect(await seenWith(cookie)).toEqual(["in a frame"]);
  }
  const [slot] = await app.context.ads.listSlots();
  expect(slot).toMatchObject({ placement: "sidebar", needsConsent: true });
  await removeAll();
});

describe("the public list", () => {
  test("holds what is active, inside its dates, of the placement and type asked for", async () => {
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
      "linkUrl",
      "placement",
      "title",
      "trust",
      "type",
      "vastTagUrl",
      "weight",
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
  ])("%s is refused", async (query) => {
    expect((await visitor.call("GET", `/api/spots/public?${query}`)).status).toBe(400);
  });

  test("holds at most the limit, and over time every ad", async () => {
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

  test("the next response shows a change", async () => {
    await removeAll();
    const created = await create({ title: "first" });
    for (const title of ["second", "third"]) {
      await admin.call("PUT", `/api/ads/${created.id}`, { title });
      expect(await titles("placement=header")).toEqual([title]);
    }
  });

  test("rules: device, language, category, house ads", async () => {
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
  });

  test("leaves out what the visitor has stopped, whatever else is in the cookie", async () => {
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

  test("tells whom a live ad is for", async () => {
    const { id } = await create({ targetLanguages: ["de"], targetDevices: ["phone"] });
    const { json } = await visitor.call("GET", `/api/spots/${id}/targets`);
    expect(json).toEqual({ languages: ["de"], devices: ["phone"], categories: [] });
    await admin.call("PUT", `/api/ads/${id}`, { isActive: false });
    expect((await visitor.call("GET", `/api/spots/${id}/targets`)).status).toBe(404);
  });

  test("rules: a cap per visitor and a daily limit count verified impressions", async () => {
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
    expect(await titles("placement=header")).toEqual([]);
  });
});

describe("the VAST documents of an ad", () => {
  test("our server does not fetch from private addresses; ads without a tag have none", async () => {
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
  test("a call in another site's name is refused", async () => {
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

describe("trust", () => {
  test("an ad of an editor waits for an administrator, and so does each of its changes", async () => {
    await removeAll();
    const editor = createClient(app.url, await app.signIn("EDITOR"));
    const proposed = await editor.call("POST", "/api/ads", { ...banner, title: "Proposed" });
    expect([proposed.status, proposed.json.isApproved]).toEqual([201, false]);
    const path = `/api/ads/${proposed.json.id}`;
    const change = async (who: typeof admin, values: Record<string, unknown>) => {
      const { status, json } = await who.call("PUT", path, values);
      return [status, json.isApproved];
    };
    expect(await titles("placement=header")).toEqual([]);
    expect(await change(editor, { isApproved: true })).toEqual([200, false]);
    expect(await change(admin, { isApproved: true })).toEqual([200, true]);
    expect(await titles("placement=header")).toEqual(["Proposed"]);

    expect(await change(editor, { isActive: false })).toEqual([200, true]);
    expect(await change(editor, { isActive: true })).toEqual([200, false]);
    expect(await change(admin, { isApproved: true, title: "Changed" })).toEqual([200, true]);
    expect(await change(editor, { title: "Swapped" })).toEqual([200, false]);
    expect(await titles("placement=header")).toEqual([]);

    expect((await editor.call("PUT", path, { trust: "page" })).status).toBe(403);
    expect((await editor.call("POST", "/api/ads", { ...banner, trust: "page" })).status).toBe(403);
    expect((await editor.call("DELETE", path)).status).toBe(403);
    const actions = await app.database.db
      .selectFrom("audit_log")
      .select("action")
      .where("entity_id", "=", proposed.json.id)
      .execute();
    expect(actions.filter(({ action }) => action === "ad.approved")).toHaveLength(2);
  });

  test("a creative with a problem can be kept, and becomes active once it is solved", async () => {
    const content = '<script src="http://cdn.example/a.js"></script>';
    const refused = await admin.call("POST", "/api/ads", { ...banner, content });
    expect(refused.status).toBe(400);
    expect(refused.json.issues).toEqual([
      { path: "content", message: expect.stringContaining("needs https: browsers block it.") },
    ]);
    const { id } = await create({ content, isActive: false });
    const activate = (values: Record<string, unknown>) =>
      admin.call("PUT", `/api/ads/${id}`, { isActive: true, ...values });
    expect((await activate({})).status).toBe(400);
    expect((await activate({ content: "<script>not closed" })).status).toBe(400);
    expect((await activate({ content: content.replace("http:", "https:") })).status).toBe(200);
  });

  test("ads.txt, app-ads.txt and sellers.json are served as the settings have them", async () => {
    const read = (path: string) => visitor.call("GET", path);
    expect((await read("/ads.txt")).status).toBe(404);
    const sellersJson = '{"version":"1.0","sellers":[{"seller_id":"1","seller_type":"PUBLISHER"}]}';
    const texts = { adsTxt: "net.example, 1, DIRECT", appAdsTxt: "# none", sellersJson };
    expect((await admin.call("POST", "/api/settings", texts)).status).toBe(200);
    // Missing files are cached like others.
    await expect.poll(async () => (await read("/ads.txt")).text).toBe("net.example, 1, DIRECT");
    expect((await read("/ads.txt")).headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await read("/app-ads.txt")).text).toBe("# none");
    expect((await read("/sellers.json")).json.sellers).toHaveLength(1);
    const wrong = await admin.call("POST", "/api/settings", { adsTxt: "net.example, 1, MINE" });
    expect(wrong.json.issues[0]).toMatchObject({
      path: "adsTxt",
      message: expect.stringContaining("Line 1:"),
    });
  });
});

describe("ad breaks", () => {
  const shown = async (query: string) => {
    const { ads } = await publicAds(`type=video&limit=3&${query}`);
    return ads.map(({ title }: { title: string }) => title);
  };

  test("short videos have no pre-roll, and breaks are three minutes apart, unless the ad says so", async () => {
    await removeAll();
    for (const placement of ["preroll", "midroll"]) {
      await create({ type: "video", placement, title: `Patient ${placement}` });
    }
    expect(await shown("placement=preroll&duration=29")).toEqual([]);
    expect(await shown("placement=preroll&duration=30")).toEqual(["Patient preroll"]);
    expect(await shown("placement=preroll")).toEqual(["Patient preroll"]);
    expect(await shown("placement=midroll&duration=29")).toEqual(["Patient midroll"]);
    expect(await shown("placement=preroll&duration=600&sinceBreak=179")).toEqual([]);
    expect(await shown("placement=midroll&sinceBreak=179")).toEqual([]);
    expect(await shown("placement=midroll&sinceBreak=180")).toEqual(["Patient midroll"]);
    await create({
      type: "video",
      placement: "preroll",
      title: "Always",
      ignoresBreakRules: true,
    });
    expect(await shown("placement=preroll&duration=5&sinceBreak=0")).toEqual(["Always"]);

    await admin.call("POST", "/api/settings", { prerollMinVideoS: 0, breakGapS: 10 });
    expect(await shown("placement=midroll&sinceBreak=10")).toEqual(["Patient midroll"]);
    expect(await shown("placement=preroll&duration=1")).toHaveLength(2);
    await admin.call("POST", "/api/settings", { prerollMinVideoS: 30, breakGapS: 180 });
    const refused = await admin.call("POST", "/api/settings", { breakGapS: -1 });
    expect(refused.json.issues[0].path).toBe("breakGapS");
  });
});

describe("frames", () => {
  test("the HTML of a live ad is served sandboxed, the same for every visitor", async () => {
    const created = await create({ content: "<p>hello</p><script>alert(1)</script>" });
    const response = await admin.call("GET", `/spots/frame/${created.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox;/,
    );
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.text).toContain("<p>hello</p><script>alert(1)</script>");
    await admin.call("PUT", `/api/ads/${created.id}`, { isActive: false });
    expect((await visitor.call("GET", `/spots/frame/${created.id}`)).status).toBe(404);
    expect((await visitor.call("GET", "/spots/frame/../../etc/passwd")).status).toBe(404);
  });

  test("only scripts of trusted ads have an address", async () => {
    const content = `<!-- <script>no()</script> --><script src="https://cdn.example/a.js"></script>
      <script type="application/json">{"a":1}</script><script data-x=">">run("</b>")</script>`;
    const isolated = await create({ content });
    expect((await visitor.call("GET", `/spots/script/${isolated.id}/1`)).status).toBe(404);
    const trusted = await create({ content, trust: "page" });
    const script = await visitor.call("GET", `/spots/script/${trusted.id}/1`);
    expect([script.status, script.text]).toEqual([200, 'run("</b>")']);
    expect((await visitor.call("GET", `/spots/script/${trusted.id}/0`)).status).toBe(404);
    expect(await app.context.ads.pageOrigins()).toEqual(["https://cdn.example"]);
  });

  test("scripts and frames come from what the ad lists, its HTML names, and the settings list", async () => {
    await removeAll();
    await admin.call("POST", "/api/settings", { adOrigins: ["https://every.example"] });
    const content = '<script src="https://tag.example/a.js"></script>';
    const origins = ["HTTPS://*.Frames.example/", "https://*.frames.example"];
    const { id, origins: kept } = await create({ content, origins });
    expect(kept).toEqual(["https://*.frames.example"]);
    const framePolicy = async () =>
      (await visitor.call("GET", `/spots/frame/${id}`)).headers.get("content-security-policy");
    const all = "https://every.example https://*.frames.example https://tag.example";
    expect(await framePolicy()).toContain(`'unsafe-eval' data: blob: ${all}; `);
    expect(await framePolicy()).toContain(`frame-src data: blob: ${all}; `);
    // The pages allow nothing that no trusted ad needs.
    expect(await app.context.ads.pageOrigins()).toEqual([]);
    await admin.call("PUT", `/api/ads/${id}`, { trust: "page" });
    expect(await app.context.ads.pageOrigins()).toEqual(all.split(" "));

    const etag = (await visitor.call("GET", `/spots/frame/${id}`)).headers.get("etag") ?? "";
    const again = () =>
      visitor.call("GET", `/spots/frame/${id}`, undefined, { "if-none-match": etag });
    expect((await again()).status).toBe(304);
    await admin.call("POST", "/api/settings", { adOrigins: [] });
    expect((await again()).status).toBe(200);

    const preview = await visitor.call("GET", "/spots/preview?origins=https://a.example");
    expect(preview.headers.get("content-security-policy")).toContain("blob: https://a.example; ");
    expect((await visitor.call("GET", "/spots/preview?origins=https://a;img-src")).status).toBe(
      400,
    );
  });

  test("all trusted ads together list at most 40 origins", async () => {
    await removeAll();
    const origins = (from: number) =>
      Array.from({ length: 20 }, (_, at) => `https://${from + at}.example`);
    await create({ content: "<b>1</b>", trust: "page", origins: origins(0) });
    await create({ content: "<b>2</b>", trust: "page", origins: origins(20) });
    const third = { ...banner, content: "<b>3</b>", origins: origins(40) };
    const refused = await admin.call("POST", "/api/ads", { ...third, trust: "page" });
    expect([refused.status, refused.json.issues[0].path]).toEqual([400, "origins"]);
    await create(third);
  });
});
