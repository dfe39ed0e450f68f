import { describe, expect, it, vi } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { isContentPage } from "./restrictions.service.ts";
import { createRestrictionsFeature } from "./restrictions.feature.ts";

const app = useTestApp({
  pages: true,
  env: { GEO_HEADER: "CF-IPCountry", CDN_MAX_AGE: "60" },
});
const admin = useClient(app);

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
const get = (
  path: string,
  { country = "", cookie = "", agent = browser, languages = "", site = "" } = {},
) =>
  createClient(app.url, cookie).call("GET", path, undefined, {
    "user-agent": agent,
    ...(country === "" ? {} : { "cf-ipcountry": country }),
    ...(languages === "" ? {} : { "accept-language": languages }),
    ...(site === "" ? {} : { "sec-fetch-site": site }),
  });

/** Makes a change and waits until it applies in this process. */
const change = async (method: string, path: string, body: object) => {
  const response = await admin.call(method, path, body);
  expect(response.status).toBe(200);
  await app.context.restrictions.refresh();
  return response.json;
};
const save = (settings: object) => change("POST", "/api/settings", settings);

describe("blocked countries", () => {
  it("responds with 451 to blocked countries for a video's page, API and files", async () => {
    const video = await makeVideo(app.db);
    const paths = [
      `/video/${video.slug}`,
      `/VIDEO/${video.slug}/`,
      `/embed/${video.slug}`,
      `/feed/${video.slug}`,
      `/api/videos/${video.slug}`,
      `/api/videos/${video.id.toUpperCase()}/related`,
      `/media/v/${video.media_token}/x.mp4`,
    ];
    // Fills the cache before the rule exists, as on a running site.
    for (const path of paths) expect((await get(path, { country: "DE" })).status).not.toBe(451);
    const blockedCountries = ["de", "FR", "DE"];
    const saved = await change("PUT", `/api/videos/${video.id}`, { blockedCountries });
    expect(saved.blockedCountries).toEqual(["DE", "FR"]);
    for (const path of paths) {
      const blocked = await get(path, { country: "de" });
      expect([path, blocked.status]).toEqual([path, 451]);
      expect(blocked.headers.get("cache-control")).toMatch(/no-store/);
      expect([path, (await get(path, { country: "CH" })).status]).not.toEqual([path, 451]);
      // Codes that may stand for any country.
      for (const country of ["XX", "T1", "", "DE, CH", "CH, DE", "GERMANY", "?"]) {
        expect([path, country, (await get(path, { country })).status]).toEqual([
          path,
          country,
          451,
        ]);
      }
    }
    const json = await get(`/api/videos/${video.slug}`, { country: "FR" });
    expect(json.json).toMatchObject({
      code: "blocked_country",
      message: "This video is not available in your country.",
    });
    const page = await get(`/video/${video.slug}`, { country: "FR" });
    expect(page.text).toContain("Not available in your country");
    expect(page.text).not.toContain(video.title);
    // A CDN must not cache responses that another country may not see.
    const open = await get(`/api/videos/${video.slug}`, { country: "CH" });
    expect(open.headers.get("cache-control")).toBe("private, no-cache");
    expect(open.json.blockedCountries).toBeUndefined();
    expect((await get("/home", { country: "DE" })).status).toBe(200);
    expect((await admin.call("GET", `/api/videos/${video.id}`)).status).toBe(200);
    await change("PUT", `/api/videos/${video.id}`, { blockedCountries: [] });
    expect((await get(`/video/${video.slug}`, { country: "DE" })).status).toBe(200);
  });

  it("responds with 451 for the whole site except sign-in", async () => {
    await save({ blockedCountries: ["US"] });
    for (const path of ["/", "/home", "/api/videos", "/feed.rss", "/report/x"]) {
      expect([path, (await get(path, { country: "US" })).status]).toEqual([path, 451]);
    }
    // Pages about stored data and complaints stay open, too.
    for (const path of ["/auth/signin", "/privacy", "/takedown", "/api/privacy"]) {
      expect([path, (await get(path, { country: "US" })).status]).toEqual([path, 200]);
    }
    expect((await get("/healthz", { country: "US" })).status).toBe(200);
    expect((await get("/home", { country: "CA" })).status).toBe(200);
    const sitemap = async () => {
      const { headers } = await get("/sitemap.xml", { country: "CA" });
      return headers.get("cache-control");
    };
    expect(await sitemap()).toBe("private, no-cache");
    await save({ blockedCountries: [] });
    expect(await sitemap()).toMatch(/^public, max-age=0, s-maxage=60/);
    expect((await get("/home", { country: "US" })).status).toBe(200);
  });

  it.each(["GER", "<b>", "\u202eED", "x".repeat(10_000)])(
    "refuses an invalid code (%#)",
    async (code) => {
      const refused = await admin.call("POST", "/api/settings", { blockedCountries: [code] });
      expect([refused.status, refused.json.issues[0].message]).toEqual([
        400,
        "Use two-letter country codes, such as DE",
      ]);
    },
  );
});

describe("age confirmation", () => {
  it("replaces every page until the age is confirmed, then returns to the page", async () => {
    const video = await makeVideo(app.db);
    const path = `/video/${video.slug}?t=5&x="><script>`;
    expect((await get(path)).text).toContain(video.title);
    await save({ ageGate: true });
    const asked = await get(path);
    expect(asked.text).toContain("Are you 18 or older?");
    expect(asked.text).not.toContain(video.title);
    expect(asked.text).not.toContain("<script>");
    expect(asked.headers.get("rating")).toBe("RTA-5042-1996-1400-1577-RTA");
    expect(asked.headers.get("cache-control")).toBe("private, no-store");
    const referrerPolicy = async (url: string, site?: string) =>
      (await get(url, { site })).headers.get("referrer-policy");
    expect(await referrerPolicy(path, "none")).toBe("strict-origin-when-cross-origin");
    expect(await referrerPolicy("/private/secret", "none")).toBe("no-referrer");
    expect(await referrerPolicy("/private/secret")).toBe("origin");
    const say = (body: string) =>
      fetch(`${app.url}/api/age`, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });
    const yes = await say(`adult=yes&next=${encodeURIComponent("/video/x?t=5")}`);
    expect([yes.status, yes.headers.get("location")]).toEqual([303, "/video/x?t=5"]);
    expect(yes.headers.get("set-cookie")).toBe(
      "age=1; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
    );
    const foreign = await say(`adult=yes&next=${encodeURIComponent("/é漢?q=ü")}`);
    expect([foreign.status, foreign.headers.get("location")]).toEqual([
      303,
      "/%C3%A9%E6%BC%A2?q=%C3%BC",
    ]);
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb"]) {
      const led = await say(`adult=yes&next=${encodeURIComponent(next)}`);
      expect(led.headers.get("location")).toBe("/");
    }
    const no = await say("adult=no&next=/");
    expect([no.status, no.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await no.text()).toContain("You must be 18 or older");
    const shown = await get(path, { cookie: "age=1" });
    expect(shown.text).toContain(video.title);
    expect(shown.text).toContain('<meta name="rating" content="RTA-5042-1996-1400-1577-RTA">');
    expect(shown.headers.get("rating")).toBe("RTA-5042-1996-1400-1577-RTA");
    // Everyone who gets the page gets the same bytes from the cache.
    expect((await get(path, { cookie: "age=1" })).text).toBe(shown.text);
    await save({ ageGate: false });
    const after = await get(path);
    expect(after.text).toContain(video.title);
    expect([after.headers.get("rating"), after.text.includes("RTA-")]).toEqual([null, false]);
  });

  it("lets browsers load the favicon on pages without scripts", async () => {
    await save({ ageGate: true });
    for (const path of ["/home", "/api/docs"]) {
      const { headers } = await get(path);
      expect([path, headers.get("content-security-policy")]).toEqual([
        path,
        expect.stringContaining("img-src 'self';"),
      ]);
    }
    expect((await get("/favicon.ico")).headers.get("content-type")).toBe("image/x-icon");
    const favicon = "/media/public/favicon.png";
    await save({ faviconUrl: favicon });
    for (const path of ["/favicon.ico", "/apple-touch-icon.png"]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get("location")]).toEqual([path, 302, favicon]);
    }
    await save({ ageGate: false, faviconUrl: null });
  });

  it("isn't required of crawlers and operators, or for files and legal pages", async () => {
    await save({ ageGate: true, terms: "Our terms" });
    const agent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    expect((await get("/home", { agent })).text).not.toContain("Are you 18");
    const open = ["/terms", "/takedown", "/robots.txt", "/favicon.ico", "/api/videos"];
    for (const path of [...open, "/auth/signin"]) {
      expect([path, (await get(path)).text.includes("Are you 18")]).toEqual([path, false]);
    }
    expect((await get("/terms")).text).toContain("Our terms");
    await save({ ageGate: false, terms: null });
  });

  const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  const crawlers = [
    "WordPress/6.8.1; https://blog.example",
    "Discourse Forum Onebox v3.5.0",
    "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
    "Lemmy/0.19.12; +https://lemmy.example",
    "Pleroma 2.9.1; https://pleroma.example <a@pleroma.example>",
    "Pinterest/0.2 (+https://www.pinterest.com/)",
    "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
    `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0.0.0 Safari/537.36 (compatible; Google-InspectionTool/1.0;)`,
    "Mediapartners-Google",
  ];
  const browsers = [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    `Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) ${webKit} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
    "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
    "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
  ];
  it("is required of browsers, but not of crawlers and link previews", async () => {
    await save({ ageGate: true });
    for (const agent of [...crawlers, ...browsers]) {
      const isAsked = (await get("/home", { agent })).text.includes("Are you 18");
      expect([agent, isAsked]).toEqual([agent, browsers.includes(agent)]);
    }
    await save({ ageGate: false });
  });

  it("only links to terms that exist", async () => {
    await save({ ageGate: true });
    expect((await get("/home")).text).not.toContain("/terms");
    await save({ terms: "Our terms" });
    expect((await get("/home")).text).toContain('href="/terms"');
    await save({ ageGate: false, terms: null });
  });
});

describe("the language", () => {
  it("comes from the address, otherwise the browser, otherwise the site", async () => {
    await save({ ageGate: true, language: "de", siteName: "Kino" });
    const german = await get("/home");
    expect(german.text).toContain("Kino zeigt Videos für Erwachsene.");
    expect(german.text).toContain('<html lang="de" dir="ltr">');
    expect(german.text).toContain('href="/privacy"');
    const arabic = await get("/ar/home", { languages: "fr" });
    expect(arabic.text).toContain("هل عمرك 18 عامًا أو أكثر؟");
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">');
    expect(arabic.text).toContain('href="/ar/privacy"');
    expect(arabic.text).toContain('name="next" value="/ar/home"');
    const french = await get("/home", { languages: "xx, en;q=0, ja;q=0.5, fr-CH;q=0.9" });
    expect(french.text).toContain("Avez-vous 18 ans ou plus");
    const no = await fetch(`${app.url}/api/age`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "adult=no&next=/ar/home",
    });
    expect(await no.text()).toContain("للبالغين فقط");
    await save({ ageGate: false, blockedCountries: ["PL"] });
    const blocked = await get("/home", { country: "PL", languages: "pl" });
    expect([blocked.status, blocked.text.includes("Niedostępne w Twoim kraju")]).toEqual([
      451,
      true,
    ]);
    await save({ blockedCountries: [], language: "en", siteName: null });
  });
});

describe("addresses", () => {
  it.each([
    ["/", true],
    ["/home", true],
    ["/video/a.b", true],
    ["/private/x.", true],
    ["/tags/one/feed.rss", false],
    ["/sitemap.xml", false],
    ["/assets/a.js", false],
    ["/apiary", true],
  ])("recognises %s as a page: %s", (place, isPage) => expect(isContentPage(place)).toBe(isPage));
});

it("marks a sensitive video in lists and drops cached responses that contain it", async () => {
  const video = await makeVideo(app.db, { title: "Unsettling" });
  const listed = async () => (await get("/api/videos?search=unsettling")).json.videos[0];
  expect((await listed()).isSensitive).toBeUndefined();
  await change("PUT", `/api/videos/${video.id}`, { isSensitive: true });
  expect((await listed()).isSensitive).toBe(true);
  expect((await get("/home?search=unsettling")).text).toContain("blur-xl");
});

it("repeats a reload of the rules until it succeeds", async () => {
  vi.useFakeTimers();
  try {
    const feature = createRestrictionsFeature({
      ...app.context,
      db: app.db,
      http: { ...app.context.http, screenRequests: vi.fn() },
    });
    const refresh = vi
      .spyOn(feature.restrictions, "refresh")
      .mockRejectedValueOnce(new Error("The connection was lost"))
      .mockRejectedValueOnce(new Error("The connection was lost"))
      .mockResolvedValueOnce();
    feature.invalidate?.(new Set(["settings"]));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refresh).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});
