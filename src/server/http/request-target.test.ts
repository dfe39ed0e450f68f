import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { askRaw, spellingsOf, type RawResponse, type Spelling } from "#test/target-spellings.ts";

const secretText = "zqxprivatetitle";
const blockedText = "zqxblockedtitle";
const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

let host: string;
/**
 * Addresses of all kinds of routes, and whether each belongs to the video that is blocked in
 * Germany.
 */
let routes: { kind: string; address: string; isBlocked?: boolean }[];

const app = useTestApp({
  pages: true,
  env: { GEO_HEADER: "CF-IPCountry", TRUST_PROXY: "127.0.0.1", CDN_MAX_AGE: "60" },
});
const admin = useClient(app);
beforeAll(async () => {
  host = new URL(app.url).host;
  const open = await makeVideo(app.db, { title: "Open" });
  const blocked = await makeVideo(app.db, { title: blockedText, blocked_countries: ["DE"] });
  const former = blocked.slug;
  await admin.call("PUT", `/api/videos/${blocked.id}`, { slug: "moved-away" });
  const hidden = await makeVideo(app.db, { title: secretText, blocked_countries: ["DE"] });
  await admin.call("PUT", `/api/videos/${hidden.id}`, { visibility: "private" });
  const link = await admin.call("PUT", `/api/admin/videos/${hidden.id}/link`, { expiresAt: null });
  const secret = String(link.json.path).slice("/private/".length);
  const file = "a/480p.mp4";
  for (const { media_token: token } of [open, blocked, hidden]) {
    await app.context.storage.putBytes(`v/${token}/${file}`, Buffer.from("the bytes"));
  }
  await app.context.restrictions.refresh();
  const [script = ""] = readdirSync("dist/client/assets").filter((name) => name.endsWith(".js"));
  routes = [
    { kind: "list", address: "/api/videos?limit=2" },
    { kind: "video", address: `/api/videos/${open.slug}` },
    { kind: "admin", address: "/api/admin/people" },
    { kind: "front page", address: "/" },
    { kind: "page", address: "/home" },
    { kind: "page in German", address: "/de/home?search=x" },
    { kind: "search", address: "/search?search=zqxsearchtext" },
    { kind: "video page", address: `/video/${open.slug}` },
    { kind: "media", address: `/media/v/${open.media_token}/${file}` },
    { kind: "static", address: `/assets/${script}` },
    { kind: "robots", address: "/robots.txt" },
    { kind: "auth", address: "/auth/signin" },
    { kind: "auth call", address: "/api/auth/session" },
    { kind: "unknown", address: "/wp-login.php" },
    { kind: "blocked video", address: "/api/videos/moved-away", isBlocked: true },
    { kind: "blocked id", address: `/api/videos/${blocked.id}/midroll`, isBlocked: true },
    { kind: "blocked former slug", address: `/api/videos/${former}`, isBlocked: true },
    { kind: "blocked page", address: "/video/moved-away", isBlocked: true },
    { kind: "blocked former page", address: `/video/${former}`, isBlocked: true },
    { kind: "blocked embed", address: "/embed/moved-away", isBlocked: true },
    { kind: "blocked feed", address: "/feed/moved-away", isBlocked: true },
    {
      kind: "blocked oEmbed",
      address: `/api/oembed?url=${encodeURIComponent("http://localhost:3000/video/moved-away")}`,
    },
    {
      kind: "blocked media",
      address: `/media/v/${blocked.media_token}/${file}`,
      isBlocked: true,
    },
    { kind: "blocked private page", address: `/private/${secret}`, isBlocked: true },
    { kind: "blocked private call", address: `/api/private/${secret}`, isBlocked: true },
    { kind: "blocked private media", address: `/media/private/${secret}/${file}`, isBlocked: true },
  ];
});

let asked = 0;
const ask = (target: string, headers: readonly string[] = []): Promise<RawResponse> => {
  asked += 1;
  const { hostname, port } = new URL(app.url);
  // Uses a new address each time, so that refusals stay fast.
  const from = `198.18.${Math.floor(asked / 250)}.${asked % 250}`;
  return askRaw({ hostname, port: Number(port) }, target, [
    `Host: ${host}`,
    `User-Agent: ${browser}`,
    `X-Forwarded-For: ${from}`,
    ...headers,
  ]);
};

const securityHeaders = [
  "content-security-policy",
  "x-content-type-options",
  "referrer-policy",
  "permissions-policy",
] as const;
const securityOf = ({ headers }: RawResponse) => securityHeaders.map((name) => headers.get(name));

function expectRefusal(spelling: Spelling, response: RawResponse, isApi: boolean): void {
  const type = response.headers.get("content-type");
  expect({ ...spelling, status: response.status }).toEqual({ ...spelling, status: 400 });
  expect({ ...spelling, headers: securityOf(response) }).toEqual({
    ...spelling,
    headers: [
      "default-src 'none'; frame-ancestors 'none'",
      "nosniff",
      "strict-origin-when-cross-origin",
      expect.stringContaining("camera=()"),
    ],
  });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{12}$/);
  if (isApi) expect(JSON.parse(response.body)).toMatchObject({ code: "invalid" });
  else expect(type).toMatch(/^(text\/plain|application\/json); charset=utf-8$/);
}

/** Expects the page for unknown addresses. One cache entry serves it for all of them. */
async function expectUnknownPage(): Promise<void> {
  for (const prefix of ["", "/de"]) {
    const { status, body } = await ask(`${prefix}/unknown-${asked}`);
    expect(status).toBe(404);
    expect(body).not.toMatch(/zqx[a-z]{6}/);
  }
}

describe("the target of a request", () => {
  it("gives every spelling of an address the same response, for routes of every kind", async () => {
    let count = 0;
    for (const { kind, address } of routes) {
      const country = ["CF-IPCountry: CH"];
      const plain = await ask(address, country);
      for (const spelling of spellingsOf(address, host)) {
        const response = await ask(spelling.target, country);
        const about = { kind, ...spelling };
        if (spelling.is === "refused") {
          expectRefusal(spelling, response, /^\/api(\/|\?|$)/.test(spelling.target));
        } else {
          expect({ ...about, status: response.status }).toEqual({ ...about, status: plain.status });
          expect(securityOf(response)).toEqual(securityOf(plain));
          expect(response.headers.get("cache-control")).toBe(plain.headers.get("cache-control"));
        }
        count += 1;
      }
      await expectUnknownPage();
    }
    expect(count).toBeGreaterThan(1000);
  }, 300_000);

  it("applies country blocks to every spelling, with any headers and session", async () => {
    const ended = await app.signIn("USER");
    await createClient(app.url, ended).call("POST", "/api/auth/signout");
    const visitors = [
      ["CF-IPCountry: DE"],
      ["CF-IPCountry: DE, CH"],
      ["CF-IPCountry: XX"],
      [],
      ["CF-IPCountry: DE", `Cookie: ${ended}`],
      ["CF-IPCountry: DE", `Authorization: Bearer kinora_${"x".repeat(60)}`],
    ];
    for (const { kind, address, isBlocked } of routes) {
      if (isBlocked !== true) continue;
      expect([kind, (await ask(address, ["CF-IPCountry: CH"])).status]).not.toEqual([kind, 451]);
      for (const headers of visitors) {
        const { status, body } = await ask(address, headers);
        expect({ kind, headers, status }).toEqual({ kind, headers, status: 451 });
        expect(body).not.toMatch(/zqx[a-z]{6}|the bytes/);
      }
      for (const { target, is } of spellingsOf(address, host)) {
        const { status, body } = await ask(target, ["CF-IPCountry: DE"]);
        expect({ target, status }).toEqual({ target, status: is === "same" ? 451 : 400 });
        expect(body).not.toMatch(/zqx[a-z]{6}|the bytes/);
      }
      const doubled = await ask(address, ["CF-IPCountry: CH", "cf-ipcountry: DE"]);
      expect(doubled.status).toBe(400);
    }
    const oEmbed = routes.find(({ kind }) => kind === "blocked oEmbed")?.address ?? "";
    expect((await ask(oEmbed, ["CF-IPCountry: DE"])).body).not.toMatch(/zqx[a-z]{6}/);
    await expectUnknownPage();
  }, 300_000);

  it("keeps a private page out of the cache in upper, lower and mixed case", async () => {
    const path = routes.find(({ kind }) => kind === "blocked private page")?.address ?? "";
    for (const target of [path, path.replace("private", "PRIVATE"), path.replace("p", "%50")]) {
      const response = await ask(target, ["CF-IPCountry: CH"]);
      const { misses } = app.context.http.cache.stats;
      await ask(target, ["CF-IPCountry: CH"]);
      expect([target, app.context.http.cache.stats.misses]).toEqual([target, misses + 1]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      expect(response.headers.get("x-robots-tag")).toMatch(/^noindex\b/);
    }
  });

  it("accepts addresses that browsers send", async () => {
    for (const [target, status] of [
      ["/home/", 200],
      ["/video/caf%C3%A9", 404],
      ["/tags/%E6%97%A5%e6%9c%ac/", 404],
      ["/api/videos/%C3%A9t%C3%A9", 404],
      ["/api/videos?search=%C3%A9t%C3%A9", 200],
      ["/home/?search=a\\b&x=/../%2e%2f%5c//x", 200],
      ["/search?search=50%25+off%20now", 200],
      ["/tags/50%25", 404],
      ["/tags/a+b%20c", 404],
      ["/auth/signin?next=%2Fadmin%2F..%2Fx", 200],
      ["/api/videos/%ff", 404],
    ] as const) {
      expect([target, (await ask(target)).status]).toEqual([target, status]);
    }
  });

  it("sends the headers of an admin call for its absolute form, too", async () => {
    const token = [...admin.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const target of ["/api/admin/people", `http://${host}/api/admin/people`]) {
      const { status, headers } = await ask(target, [`Cookie: ${token}`]);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const other = await ask("http://a/api/admin/people", [`Cookie: ${token}`]);
    expect([other.status, other.headers.get("cache-control")]).toEqual([400, "no-store"]);
  });

  it.each([
    "Host: a.example",
    "Authorization: Bearer x",
    "X-Forwarded-Host: a.example",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Port: 443",
    "CF-IPCountry: CH",
  ])("is refused with two lines of the trusted header %s", async (line) => {
    const name = line.split(":")[0] ?? "";
    const first = name === "Host" ? [] : [line];
    for (const target of ["/home", "/api/videos"]) {
      const second = `${name.toUpperCase()}:${line.slice(name.length + 1)}`;
      const response = await ask(target, [...first, second]);
      const is = "refused" as const;
      expectRefusal({ name, target, is }, response, target.startsWith("/api"));
    }
  });

  it("is kept behind a proxy that adds a line to X-Forwarded-For", async () => {
    expect((await ask("/api/videos", ["X-Forwarded-For: 198.18.1.1"])).status).toBe(200);
  });
});

describe("the confirmation of the age", () => {
  it("is required before every spelling of a page", async () => {
    await admin.call("POST", "/api/settings", { ageGate: true });
    await app.context.restrictions.refresh();
    for (const { kind, address } of routes) {
      if (!/page|search|embed|feed/.test(kind) || /oEmbed/.test(kind)) continue;
      for (const { name, target, is } of spellingsOf(address, host)) {
        const { status, body } = await ask(target, ["CF-IPCountry: CH"]);
        const isAsked = body.includes("Are you 18 or older?") || /lang="de".*\b18\b/s.test(body);
        expect({ name, target, status, isAsked }).toEqual({
          name,
          target,
          status: is === "same" ? 200 : 400,
          isAsked: is === "same",
        });
      }
    }
    await admin.call("POST", "/api/settings", { ageGate: false });
    await app.context.restrictions.refresh();
  }, 300_000);
});

it("serves slugs in other scripts, in both forms of composed letters and at old addresses", async () => {
  const { id } = await makeVideo(app.db, { slug: "мой-фильм" });
  const at = (slug: string) =>
    fetch(`${app.url}/video/${encodeURIComponent(slug)}`, { redirect: "manual" });
  for (const slug of ["мой-фильм", "мой-фильм".normalize("NFD")]) {
    const page = await at(slug);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`/video/${encodeURIComponent("мой-фильм")}"`);
  }
  expect((await admin.call("PUT", `/api/videos/${id}`, { slug: "मेरी-फ़िल्म" })).status).toBe(200);
  const moved = await at("мой-фильм");
  expect(moved.status).toBe(301);
  expect(moved.headers.get("cache-control")).toBe("no-cache");
  expect(moved.headers.get("location")).toBe(
    `/video/${encodeURIComponent("मेरी-फ़िल्म".normalize("NFC"))}`,
  );
});
