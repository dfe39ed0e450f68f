import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";

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

async function create(values: Record<string, unknown>) {
  const response = await admin.call("POST", "/api/ads", { ...banner, ...values });
  expect(response.status).toBe(201);
  return response.json;
}

async function removeAll() {
  const { ads } = (await admin.call("GET", "/api/ads")).json;
  for (const { id } of ads) await admin.call("DELETE", `/api/ads/${id}`);
}

describe("trust", () => {
  test("approves only the version that the administrator saw", async () => {
    await removeAll();
    const editor = createClient(app.url, await app.signIn("EDITOR"));
    const { id, version } = (await editor.call("POST", "/api/ads", banner)).json;
    const path = `/api/ads/${id}`;
    await editor.call("PUT", path, { content: "<p>Swapped</p>" });
    const approve = (seen: number) => admin.call("PUT", path, { isApproved: true, version: seen });
    expect((await approve(version)).json.code).toBe("edit_conflict");
    expect((await admin.call("GET", path)).json.isApproved).toBe(false);
    expect((await approve(version + 1)).json.isApproved).toBe(true);
    // An editor may end an ad in any state.
    const ended = await editor.call("PUT", path, { isActive: false, version: version + 2 });
    expect(ended.json).toMatchObject({ isActive: false, isApproved: true });
  });

  test("holds an editor's ad and every change to it until an administrator approves", async () => {
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
    const actions = await app.db
      .selectFrom("audit_log")
      .select("action")
      .where("entity_id", "=", proposed.json.id)
      .execute();
    expect(actions.filter(({ action }) => action === "ad.approved")).toHaveLength(2);
  });

  test("saves a creative with a problem and activates it once the problem is fixed", async () => {
    const content = '<script src="http://cdn.example/a.js"></script>';
    const refused = await admin.call("POST", "/api/ads", { ...banner, content });
    expect(refused.status).toBe(400);
    expect(refused.json.issues).toEqual([
      { path: "content", message: expect.stringContaining("because it doesn't use HTTPS.") },
    ]);
    const { id } = await create({ content, isActive: false });
    const activate = (values: Record<string, unknown>) =>
      admin.call("PUT", `/api/ads/${id}`, { isActive: true, ...values });
    expect((await activate({})).status).toBe(400);
    expect((await activate({ content: "<script>not closed" })).status).toBe(400);
    expect((await activate({ content: content.replace("http:", "https:") })).status).toBe(200);
  });

  test("serves ads.txt, app-ads.txt and sellers.json from the settings", async () => {
    const read = (path: string) => visitor.call("GET", path);
    expect((await read("/ads.txt")).status).toBe(404);
    const sellersJson = '{"version":"1.0","sellers":[{"seller_id":"1","seller_type":"PUBLISHER"}]}';
    const texts = { adsTxt: "net.example, 1, DIRECT", appAdsTxt: "# none", sellersJson };
    expect((await admin.call("POST", "/api/settings", texts)).status).toBe(200);
    // Responses for missing files are cached, too.
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

  test("returns the maximum length of a pod, and a single ad on request", async () => {
    await removeAll();
    const video = { type: "video", placement: "midroll" };
    const first = await create({ ...video, title: "First", dailyLimit: 5 });
    await create({ ...video, title: "Second" });
    await create({});
    const list = async (query: string) => await publicAds(query);
    expect((await list("placement=midroll")).podMaxS).toBe(30);
    expect((await list("placement=header")).podMaxS).toBeUndefined();
    expect(await shown(`placement=midroll&only=${first.id}`)).toEqual(["First"]);
    expect(await shown(`placement=preroll&only=${first.id}`)).toEqual([]);
    await admin.call("POST", "/api/settings", { podMaxS: 0, breakGapS: 10 });
    expect(await shown(`placement=midroll&sinceBreak=9&only=${first.id}`)).toEqual([]);
    expect((await list("placement=postroll")).podMaxS).toBe(0);
    await admin.call("POST", "/api/settings", { podMaxS: 30, breakGapS: 0 });
  });

  test("follows the rules for short videos and time between breaks unless the ad ignores them", async () => {
    await removeAll();
    for (const placement of ["preroll", "midroll"]) {
      await create({ type: "video", placement, title: `Patient ${placement}` });
    }
    // A new site has no such rules.
    expect(await shown("placement=preroll&duration=5&sinceBreak=0")).toEqual(["Patient preroll"]);
    expect(await shown("placement=midroll&sinceBreak=0")).toEqual(["Patient midroll"]);
    await admin.call("POST", "/api/settings", { prerollMinVideoS: 30, breakGapS: 180 });
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

    const bumper = { type: "video", placement: "preroll", title: "Bumper", isBumper: true };
    expect((await create(bumper)).isBumper).toBe(true);
    expect(await shown("placement=preroll&duration=5&sinceBreak=180")).toContain("Bumper");
    expect(await shown("placement=preroll&duration=5&sinceBreak=179")).toEqual(["Always"]);
    await removeAll();
    await create({ type: "video", placement: "midroll", title: "Patient midroll" });
    await create({ type: "video", placement: "preroll", title: "Patient preroll" });
    await create({ type: "video", placement: "preroll", title: "Another" });

    await admin.call("POST", "/api/settings", { prerollMinVideoS: 0, breakGapS: 10 });
    expect(await shown("placement=midroll&sinceBreak=10")).toEqual(["Patient midroll"]);
    expect(await shown("placement=preroll&duration=1")).toHaveLength(2);
    await admin.call("POST", "/api/settings", { prerollMinVideoS: 0, breakGapS: 0 });
    const refused = await admin.call("POST", "/api/settings", { breakGapS: -1 });
    expect(refused.json.issues[0].path).toBe("breakGapS");
  });
});

describe("frames", () => {
  test("serves a live ad's HTML sandboxed, the same for every visitor", async () => {
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

  test("reports a click if an isolated ad opens a window itself, and opens no second one", async () => {
    const linkUrl = "https://shop.example/link";
    const { id } = await create({ content: "<canvas></canvas>", linkUrl });
    const { text } = await visitor.call("GET", `/spots/frame/${id}`);
    const creative = text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    const [, messenger = ""] = /srcdoc=.*?<script>(.*?)<\/script>/s.exec(creative) ?? [];
    const calls: unknown[] = [];
    const listeners: { type: string; listener: (event: object) => void }[] = [];
    const page: Record<string, unknown> = {
      parent: { postMessage: (message: unknown) => calls.push(message) },
      open: (url: string) => calls.push(url),
      addEventListener: (type: string, listener: (event: object) => void) =>
        listeners.push({ type, listener }),
    };
    page["window"] = page;
    runInNewContext(messenger, page);
    const press = (type: string) => {
      const pressed = listeners.filter((one) => one.type === type);
      for (const { listener } of pressed) listener({ isTrusted: true });
    };
    press("pointerdown");
    runInNewContext('window.open("https://shop.example/")', page);
    press("click");
    expect(calls.splice(0)).toEqual([{ spot: "click" }, "https://shop.example/"]);
    press("pointerdown");
    press("click");
    expect(calls).toEqual([{ spot: "click" }, linkUrl]);
  });

  test("serves only scripts of trusted ads", async () => {
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

  test("withholds trusted ads and their scripts from requests with a session or an API token", async () => {
    await removeAll();
    const content = "<script>run()</script>";
    const { id } = await create({ title: "In the page", content, trust: "page" });
    await create({ title: "In a frame", content });
    const withConsent = (headers: Record<string, string>) => ({
      ...headers,
      cookie: [headers["cookie"], "consent=yes"].filter(Boolean).join("; "),
    });
    const { token } = (
      await admin.call("POST", "/api/account/tokens", {
        name: "ads",
        scopes: ["ads.edit", "ads.approve"],
        days: 7,
      })
    ).json;
    const endedUser = await app.signIn("USER");
    await createClient(app.url, endedUser).call("POST", "/api/auth/signout");
    const callers = {
      visitor: {},
      owner: { cookie: await app.signIn("OWNER") },
      user: { cookie: await app.signIn("USER") },
      ended: { cookie: endedUser },
      token: { authorization: `Bearer ${token}` },
    };
    const both = ["In a frame", "In the page"];
    for (const [caller, headers] of Object.entries(callers)) {
      const expected =
        caller === "visitor"
          ? { shown: both, script: 200 }
          : { shown: ["In a frame"], script: 404 };
      for (const prefix of ["/api/ads", "/api/spots"]) {
        const get = (path: string) =>
          createClient(app.url).call("GET", path, undefined, withConsent(headers));
        const { ads } = (await get(`${prefix}/public?placement=header`)).json;
        const shown = ads.map(({ title }: { title: string }) => title).toSorted();
        const script = (await get(`/spots/script/${id}/0`)).status;
        expect({ caller, prefix, shown, script }).toEqual({ caller, prefix, ...expected });
      }
    }
  });

  test("sends trusted ads and their scripts only to pages of the table", async () => {
    await removeAll();
    const content = "<script>run()</script>";
    const { id } = await create({ title: "In the page", content, trust: "page" });
    await create({ title: "In a frame", content });
    const browser = { cookie: "consent=yes", "sec-fetch-site": "same-origin" };
    const get = (path: string, headers: Record<string, string> = {}) =>
      createClient(app.url).call("GET", path, undefined, { ...browser, ...headers });
    const shownOn = async (page: string) => {
      const { ads } = (await get(`/api/spots/public?placement=header${page}`)).json;
      return ads.map(({ title }: { title: string }) => title).toSorted();
    };
    const script = (page: string) => get(`/spots/script/${id}/0?x=1${page}`);
    for (const path of ["/home", "/video/:slug", "/video/any-slug", "/"]) {
      const page = `&page=${encodeURIComponent(path)}`;
      expect(await shownOn(page)).toEqual(["In a frame", "In the page"]);
      expect((await script(page)).status).toBe(200);
    }
    const others = [
      ...["/auth/signin", "/auth/reset", "/auth/invitation", "/setup", "/private/:secret"],
      ...["/report/:slug", "/takedown", "/library", "/partner", "/admin", "/nothing", "home"],
    ].map((path) => `&page=${encodeURIComponent(path)}`);
    for (const page of ["", "&page=", ...others]) {
      expect({ page, shown: await shownOn(page) }).toEqual({ page, shown: ["In a frame"] });
      expect({ page, status: (await script(page)).status }).toEqual({ page, status: 404 });
    }
    // A worker would survive its page.
    for (const destination of ["serviceworker", "sharedworker", "worker", "document", "iframe"]) {
      const response = await get(`/spots/script/${id}/0?page=/home`, {
        "sec-fetch-dest": destination,
      });
      expect({ destination, status: response.status }).toEqual({ destination, status: 404 });
    }
  });

  test("allows scripts and frames from origins in the ad's list, its HTML or the settings", async () => {
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
    // Without a trusted ad, pages allow no additional origins.
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

  test.each(["https://*.github.io", "https://co.uk", "https://*.s3.amazonaws.com"])(
    "refuses %s, below which anyone can register, in ads and settings",
    async (origin) => {
      const ad = await admin.call("POST", "/api/ads", { ...banner, origins: [origin] });
      expect([ad.status, ad.json.issues[0].path]).toEqual([400, "origins"]);
      const settings = await admin.call("POST", "/api/settings", { adOrigins: [origin] });
      expect([settings.status, settings.json.issues[0].path]).toEqual([400, "adOrigins"]);
    },
  );

  test("limits all trusted ads to 40 origins in total", async () => {
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
