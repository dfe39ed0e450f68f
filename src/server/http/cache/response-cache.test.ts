import { createSecretKey } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { createTestCore } from "#test/http-core.ts";
import { askRaw } from "#test/target-spellings.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeCategory } from "#test/factories/make-label.ts";
import { newSessionToken } from "../access/session-cookie.ts";
import type { ChangeTag } from "#server/db/change-tags.ts";
import { createCacheQuery } from "./cache-query.ts";
import { createResponseCache } from "./response-cache.ts";

const app = useTestApp();

describe("the key of a cached response", () => {
  const query = createCacheQuery();
  query.declare("/api/videos", ["sort", "limit"]);
  for (const path of ["/", "/home"]) query.declare(path, ["search", "category", "sort", "cursor"]);
  query.declare("/tags/:slug", ["cursor"]);
  query.declare("/video/:slug", []);
  const { keyOf } = query;

  it("contains only the names that its route or page reads, in a fixed order", () => {
    expect(keyOf("/api/videos?sort=newest&limit=12")).toBe(
      keyOf("/api/videos?limit=12&x=1&sort=newest&utm_source=x"),
    );
    expect(keyOf("/api/videos?limit=1")).not.toBe(keyOf("/api/videos?limit=2"));
    expect(keyOf("/home?ref=abc&x=1&limit=7")).toBe("/home");
    expect(keyOf("/home?search=a&x=1")).toBe("/home?search=a");
    expect(keyOf("/?search=a")).not.toBe(keyOf("/?search=b"));
    expect(keyOf("/video/a-clip?search=a&cursor=b")).toBe("/video/a-clip");
    expect(keyOf("/tags/one/?cursor=b&sort=x")).toBe("/tags/one/?cursor=b");
    expect(keyOf("/HOME?search=a&x=1")).toBe("/HOME?search=a");
  });

  it("is the same for all unknown addresses", () => {
    query.know("/robots.txt");
    expect(keyOf("/wp-login.php?x=1")).toBe(keyOf("/%C3%A9t%C3%A9/one"));
    expect(query.isUnknown("/wp-login.php")).toBe(true);
    expect(keyOf("/de/one?x=1")).toBe(keyOf("/de/two"));
    expect(keyOf("/de/one")).not.toBe(keyOf("/one"));
    const others = [
      "/",
      "/Tags/none",
      "/robots.txt",
      "/%74ags/x",
      "/x%00",
      "/%E0%A4%A",
      "//x.example",
    ];
    for (const url of others) expect({ url, is: query.isUnknown(url) }).toEqual({ url, is: false });
  });

  it("is the same for every way to percent-encode a path", () => {
    expect(keyOf("/%68ome")).toBe("/home");
    expect(keyOf("/tags/%c3%A9t%C3%a9?x=1")).toBe(keyOf("/tags/%C3%A9t%C3%A9"));
    expect(keyOf("/tags/a,b;c")).toBe(keyOf("/tags/a%2Cb%3Bc"));
    expect(keyOf("/tags/a%2Fb")).not.toBe(keyOf("/tags/a/b"));
    expect(keyOf("/tags/%E0%A4%A")).toBe("/tags/%E0%A4%A");
  });

  it.each([
    ["a second question mark", "?sort=newest"],
    ["an encoded question mark", "%3Fsort=a"],
    ["plus signs and spaces", "sort=a+b%20c%2Bd&li+mit=1"],
    ["NUL", "sort=a%00b"],
    ["a repeated name", "sort=b&limit=1&sort=a"],
    ["semicolons", "sort=a;limit=1"],
    ["incomplete escapes", "sort=100%&limit=%zz%41"],
    ["invalid UTF-8", "sort=a%FF&limit=%ED%A0%80"],
    ["a byte order mark", "sort=%EF%BB%BFa&%EF%BB%BFlimit=1"],
    ["an encoded name", "%73ort=a&limi%74%FF=1"],
    ["no names", "=a&&=&sort=b&"],
    ["no values", "sort&limit="],
    ["equals signs", "sort=a==b&=limit=1"],
    ["names of object members", "__proto__=a&__proto__=b&constructor=c&sort=d"],
    ["a long query", `x=${"a".repeat(20_000)}&${"limit&".repeat(2000)}sort=b`],
  ])("contains the values that handlers and pages get from a query with %s", async (_, given) => {
    const { app: site } = createTestCore();
    site.get("/api/videos", (request) => request.query);
    const url = `/api/videos?${given}`;
    const valuesOf = (address: string) => {
      const { searchParams } = new URL(address, "http://localhost");
      return ["sort", "limit"].map((name) => searchParams.getAll(name));
    };
    const handled = (await site.inject({ method: "GET", url })).json();
    expect(valuesOf(keyOf(url))).toEqual(valuesOf(url));
    expect(["sort", "limit"].map((name) => [handled[name] ?? []].flat())).toEqual(valuesOf(url));
  });

  it("applies declarations made after its first use", () => {
    expect(keyOf("/news/one?x=1")).toBe("/.unknown");
    query.declare("/news/:slug", ["x"]);
    expect(keyOf("/news/one?x=1")).toBe("/news/one?x=1");
  });
});

describe("cached responses", () => {
  it("serves the same bytes, compresses on request, and revalidates with 304", async () => {
    for (let n = 0; n < 12; n += 1) {
      const { id } = await makeCategory(app.db, { name: `Category no ${n}` });
      await makeVideo(app.db, {}, { categoryIds: [id] });
    }
    const plain = { "accept-encoding": "identity" };
    const client = createClient(app.url);
    const first = await client.call("GET", "/api/categories", undefined, plain);
    const { hits } = app.context.http.cache.stats;
    const second = await client.call("GET", "/api/categories", undefined, plain);
    expect(app.context.http.cache.stats.hits).toBe(hits + 1);
    expect(second.text).toBe(first.text);
    const packed = await client.call("GET", "/api/categories", undefined, {
      "accept-encoding": "br",
    });
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.text).toBe(first.text);
    const etag = second.headers.get("etag") ?? "";
    const again = await client.call("GET", "/api/categories", undefined, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(second.headers.get("set-cookie")).toBeNull();
  });

  it("serves the headers of the response that filled the cache", async () => {
    const client = createClient(app.url);
    const path = "/api/categories";
    app.context.http.cache.drop("everything");
    const headers = { "accept-encoding": "gzip" };
    const { hits } = app.context.http.cache.stats;
    const first = await client.call("GET", path, undefined, headers);
    expect(app.context.http.cache.stats.hits).toBe(hits);
    const second = await client.call("GET", path, undefined, headers);
    expect(app.context.http.cache.stats.hits).toBe(hits + 1);
    for (const response of [first, second]) {
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(response.headers.get("vary")).toBe("accept-encoding");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(second.text).toBe(first.text);
  });

  it("drops responses at once when an administrator writes", async () => {
    const client = createClient(app.url);
    const admin = createClient(app.url, await app.signIn());
    await client.call("GET", "/api/tags");
    const { hits } = app.context.http.cache.stats;
    expect((await admin.call("POST", "/api/tags", { name: "Fresh" })).status).toBe(201);
    expect((await admin.call("GET", "/api/tags")).json[0].name).toBe("Fresh");
    await client.call("GET", "/api/tags");
    expect(app.context.http.cache.stats.hits).toBe(hits);
  });

  it("neither serves administrators nor stores their responses", async () => {
    const admin = createClient(app.url, await app.signIn());
    const path = "/api/videos?limit=7";
    const { hits } = app.context.http.cache.stats;
    await admin.call("GET", path);
    await admin.call("GET", path);
    expect(app.context.http.cache.stats.hits).toBe(hits);
  });

  it("serves requests with a forged session or unread query names", async () => {
    const client = createClient(app.url);
    await client.call("GET", "/api/videos?limit=3");
    const { stats } = app.context.http.cache;
    const { hits } = stats;
    const forged = (token: string) => createClient(app.url, `session=${token}`);
    const findUser = vi.spyOn(app.context.auth, "findUser");
    const elsewhere = newSessionToken(createSecretKey(Buffer.alloc(32)));
    const ended = newSessionToken(app.context.secret);
    const cookies = ["x", "", "!".repeat(60), "x".repeat(60), elsewhere, `${ended}x`, ended];
    for (const token of cookies) {
      expect((await forged(token).call("GET", "/api/videos?limit=3")).status).toBe(200);
    }
    // Only tokens signed by this installation need a look-up.
    expect(findUser.mock.calls).toEqual([[ended]]);
    findUser.mockRestore();
    for (let n = 0; n < 10; n += 1) {
      await client.call("GET", `/api/videos?limit=3&x=${n}&random${n}=1`);
    }
    expect(stats.hits).toBe(hits + cookies.length + 10);
  });

  it("serves absolute targets, and refuses fragments early", async () => {
    const { hostname, port, host } = new URL(app.url);
    const ask = (target: string) =>
      askRaw({ hostname, port: Number(port) }, target, [`Host: ${host}`]);
    await ask("/api/videos?limit=4");
    const { stats } = app.context.http.cache;
    const { hits, misses } = stats;
    for (let n = 0; n < 5; n += 1) {
      const absolute = await ask(`http://${host}/api/videos?limit=4&x=${n}`);
      expect(absolute.status).toBe(200);
      for (const target of [`/api/videos?limit=4#${n}`, `/api/videos#${n}?limit=4`]) {
        expect((await ask(target)).status).toBe(400);
      }
    }
    expect([stats.hits, stats.misses]).toEqual([hits + 5, misses]);
  });

  it("drops responses when another process reports a change", async () => {
    const client = createClient(app.url);
    await client.call("GET", "/api/actors");
    const before = app.context.http.cache.changeCount();
    await app.database.pool.query("select pg_notify('kinora_changed', '?')");
    await expect.poll(() => app.context.http.cache.changeCount()).toBeGreaterThan(before);
  });
});

describe("a stale response", () => {
  const url = "/api/things";
  const options = {
    status: 200,
    headers: { "content-type": "application/json" },
    packed: null,
    tags: new Set<ChangeTag>(),
    ttlMs: 1000,
  };
  const serve = (cache: ReturnType<typeof createResponseCache>) => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    request.method = "GET";
    const response = new ServerResponse(request);
    const end = vi.spyOn(response, "end");
    return cache.tryServe(request, response) ? String(end.mock.calls[0]?.[0]) : null;
  };
  afterEach(() => void vi.useRealTimers());

  it("is served stale and refreshed only once, even if many requests arrive", async () => {
    vi.useFakeTimers();
    let at = 0;
    let refreshed = 0;
    const refresh = async () => {
      refreshed += 1;
      cache.put(url, { ...options, body: Buffer.from(`body ${refreshed}`) }, 0);
    };
    const cache = createResponseCache({
      now: () => at,
      keyOf: String,
      refresh,
      refreshAfterMs: 250,
    });
    await refresh();
    at = 999;
    expect(serve(cache)).toBe("body 1");
    await vi.advanceTimersByTimeAsync(1000);
    expect(refreshed).toBe(1);
    at = 1000;
    expect([serve(cache), serve(cache)]).toEqual(["body 1", "body 1"]);
    await vi.advanceTimersByTimeAsync(249);
    expect(refreshed).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(refreshed).toBe(2);
    expect(serve(cache)).toBe("body 2");
  });

  it("stays in the cache and is retried when the refresh fails", async () => {
    vi.useFakeTimers();
    let at = 0;
    const refresh = vi.fn(() => Promise.reject(new Error("the database is not reachable")));
    const cache = createResponseCache({ now: () => at, keyOf: String, refresh });
    cache.put(url, { ...options, body: Buffer.from("old") }, 0);
    at = 1000;
    for (const times of [1, 2]) {
      expect(serve(cache)).toBe("old");
      await vi.advanceTimersByTimeAsync(250);
      expect(refresh).toHaveBeenCalledTimes(times);
    }
  });

  it("expires after half a minute", () => {
    let at = 0;
    const cache = createResponseCache({
      now: () => at,
      keyOf: String,
      refresh: () => Promise.resolve(),
    });
    cache.put(url, { ...options, body: Buffer.from("old") }, 0);
    at = 30_999;
    expect(serve(cache)).toBe("old");
    at = 31_000;
    expect(serve(cache)).toBeNull();
  });

  it("is removed from memory once it has expired", () => {
    let at = 0;
    const cache = createResponseCache({
      now: () => at,
      keyOf: String,
      refresh: () => Promise.resolve(),
    });
    const put = (address: string) => cache.put(address, { ...options, body: Buffer.from("x") }, 0);
    put("/api/videos?search=a");
    const entryBytes = cache.stats.bytes;
    for (let number = 0; number < 99; number += 1) put(`/api/videos?search=${number}`);
    expect(cache.stats.bytes).toBeGreaterThan(entryBytes * 50);
    at = 62_000;
    put("/api/videos?search=b");
    expect(cache.stats.bytes).toBe(entryBytes);
  });
});
