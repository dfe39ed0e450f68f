import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../test/app.ts";
import { makeCategory } from "../../../test/factories/make-label.ts";
import { cacheKey, createResponseCache } from "./response-cache.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

describe("cacheKey", () => {
  it("is the same for the same question", () => {
    expect(cacheKey("/api/videos?sort=newest&limit=12")).toBe(
      cacheKey("/api/videos?limit=12&sort=newest&utm_source=x"),
    );
    expect(cacheKey("/home?ref=abc")).toBe("/home");
    expect(cacheKey("/api/videos?limit=1")).not.toBe(cacheKey("/api/videos?limit=2"));
  });
});

describe("answers from memory", () => {
  it("are the same bytes, compressed where asked for, and revalidate with 304", async () => {
    for (let n = 0; n < 12; n += 1)
      await makeCategory(app.database.db, { name: `Category no ${n}` });
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

  it("come compressed to the first who asks, too, and say the same as those from memory", async () => {
    const client = createClient(app.url);
    const path = "/api/categories?limit=50&first=1";
    const headers = { "accept-encoding": "gzip" };
    const { hits } = app.context.http.cache.stats;
    const first = await client.call("GET", path, undefined, headers);
    expect(app.context.http.cache.stats.hits).toBe(hits);
    const second = await client.call("GET", path, undefined, headers);
    expect(app.context.http.cache.stats.hits).toBe(hits + 1);
    for (const answer of [first, second]) {
      expect(answer.headers.get("content-encoding")).toBe("gzip");
      expect(answer.headers.get("vary")).toBe("accept-encoding");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(second.text).toBe(first.text);
  });

  it("are forgotten at once when an administrator writes", async () => {
    const client = createClient(app.url);
    const admin = createClient(app.url, await app.signIn());
    await client.call("GET", "/api/tags");
    await client.call("GET", "/api/tags");
    expect((await admin.call("POST", "/api/tags", { name: "Fresh" })).status).toBe(201);
    expect((await client.call("GET", "/api/tags")).json[0].name).toBe("Fresh");
  });

  it("never hold what an administrator saw", async () => {
    const admin = createClient(app.url, await app.signIn());
    const path = "/api/videos?limit=7";
    const { hits } = app.context.http.cache.stats;
    await admin.call("GET", path);
    await admin.call("GET", path);
    expect(app.context.http.cache.stats.hits).toBe(hits);
  });

  it("hear of changes that another process made", async () => {
    const client = createClient(app.url);
    await client.call("GET", "/api/actors");
    const epoch = app.context.http.cache.epoch();
    await app.database.pool.query("select pg_notify('kinora_changed', '')");
    await expect.poll(() => app.context.http.cache.epoch()).toBeGreaterThan(epoch);
  });
});

describe("a stale answer", () => {
  const url = "/api/things";
  const answer = { headers: { "content-type": "application/json" }, packed: null, ttlMs: 1000 };
  const ask = (cache: ReturnType<typeof createResponseCache>) => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    request.method = "GET";
    const response = new ServerResponse(request);
    const end = vi.spyOn(response, "end");
    return cache.tryServe(request, response) ? String(end.mock.calls[0]?.[0]) : null;
  };
  afterEach(() => void vi.useRealTimers());

  it("is sent as it is, once more, and made anew a moment later, by one of all who ask", async () => {
    vi.useFakeTimers();
    let at = 0;
    let made = 0;
    const refresh = async () => {
      made += 1;
      cache.put(url, { ...answer, body: Buffer.from(`made ${made}`) });
    };
    const cache = createResponseCache({ now: () => at, refresh, refreshAfterMs: 250 });
    await refresh();
    at = 999;
    expect(ask(cache)).toBe("made 1");
    await vi.advanceTimersByTimeAsync(1000);
    expect(made).toBe(1);
    at = 1000;
    expect([ask(cache), ask(cache)]).toEqual(["made 1", "made 1"]);
    await vi.advanceTimersByTimeAsync(249);
    expect(made).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(made).toBe(2);
    expect(ask(cache)).toBe("made 2");
  });

  it("stays, and is tried again, when making it anew failed", async () => {
    vi.useFakeTimers();
    let at = 0;
    const refresh = vi.fn(() => Promise.reject(new Error("the database is away")));
    const cache = createResponseCache({ now: () => at, refresh });
    cache.put(url, { ...answer, body: Buffer.from("old") });
    at = 1000;
    for (const times of [1, 2]) {
      expect(ask(cache)).toBe("old");
      await vi.advanceTimersByTimeAsync(250);
      expect(refresh).toHaveBeenCalledTimes(times);
    }
  });

  it("is too old after half a minute", () => {
    let at = 0;
    const cache = createResponseCache({ now: () => at, refresh: () => Promise.resolve() });
    cache.put(url, { ...answer, body: Buffer.from("old") });
    at = 30_999;
    expect(ask(cache)).toBe("old");
    at = 31_000;
    expect(ask(cache)).toBeNull();
  });
});
