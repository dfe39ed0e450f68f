import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../test/app.ts";
import { makeCategory } from "../../../test/factories/make-label.ts";
import { cacheKey } from "./answer-cache.ts";

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
