import { beforeAll, describe, expect, it, vi } from "vitest";
import { createTestCore } from "#test/http-core.ts";
import { createClient, startTestApp, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createLogger } from "#server/lib/logger.ts";
import { registerPolicies } from "./access/policy.ts";

let admin: string;

const app = useTestApp();
beforeAll(async () => {
  admin = await app.signIn("ADMIN");
});

describe("route policies", () => {
  it("refuses to register a route without a policy", async () => {
    const core = createTestCore();
    registerPolicies(core.app);
    expect(() => core.app.get("/api/open", async () => "x")).toThrow(/declares no policy/);
    await core.app.close();
  });
});

it("logs neither queries nor the secrets of private links", async () => {
  let log = "";
  const core = createTestCore({
    logger: createLogger("debug", { write: (line) => void (log += line) }),
  });
  core.app.decorateRequest("user", null);
  core.app.get("/setup", async () => {
    throw new AppError("unavailable", "Not now.", { cause: new Error("away") });
  });
  core.app.get("/*", async () => {
    throw new Error("failed");
  });
  const paths = [
    "/private/SECRET",
    "/de/private/SECRET",
    "/Private/SECRET/",
    "/api/private/SECRET?t=1",
    "/media/private/SECRET/x.mp4",
    "/auth/reset?token=SECRET",
    "/setup?token=SECRET",
  ];
  for (const url of paths) expect((await core.app.inject(url)).statusCode).toBeGreaterThan(499);
  await core.app.close();
  const logged = new Set(Array.from(log.matchAll(/"url":"([^"]*)"/g), ([, url]) => url));
  expect([...logged]).toEqual([
    "/private/…",
    "/Private/…/",
    "/api/private/…",
    "/media/private/…/x.mp4",
    "/auth/reset",
    "/setup",
  ]);
  expect(log).not.toContain("SECRET");
});

describe("cross-origin calls", () => {
  const evil = { origin: "https://evil.example" };

  it("refuses state-changing calls that another site makes", async () => {
    const client = createClient(app.url, admin);
    for (const headers of [
      evil,
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]) {
      const response = await client.call("POST", "/api/categories", { name: "x" }, headers);
      expect({ headers, status: response.status }).toEqual({ headers, status: 403 });
      expect(response.json.code).toBe("cross_origin");
    }
    expect((await client.call("GET", "/api/categories")).json).toEqual([]);
  });

  it("accepts the site itself and clients that are not browsers", async () => {
    const client = createClient(app.url, admin);
    const host = new URL(app.url).host;
    const same = await client.call(
      "POST",
      "/api/tags",
      { name: "same" },
      { origin: `http://${host}` },
    );
    expect(same.status).toBe(201);
    expect((await client.call("POST", "/api/tags", { name: "plain" })).status).toBe(201);
  });

  it("compares scheme and port, and accepts X-Forwarded-Host only from a trusted proxy", async () => {
    const { host, hostname, port } = new URL(app.url);
    const like = (origin: string, headers: Record<string, string> = {}, url = app.url) =>
      createClient(url).call("POST", "/api/visits", { ref: "x" }, { origin, ...headers });
    expect((await like(`http://${host}`)).status).toBe(202);
    for (const origin of [
      `https://${host}`,
      `http://${hostname}`,
      `http://${hostname}:${Number(port) + 1}`,
    ]) {
      const { status } = await like(origin);
      expect({ origin, status }).toEqual({ origin, status: 403 });
    }
    const forged = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect((await like("https://evil.example", forged)).status).toBe(403);
    const proxied = await startTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
    const told = { "x-forwarded-host": "video.example", "x-forwarded-proto": "https" };
    expect((await like("https://video.example", told, proxied.url)).status).toBe(202);
    expect((await like("http://video.example", told, proxied.url)).status).toBe(403);
    await proxied.stop();
  });

  it("never lets other sites read the API", async () => {
    const response = await createClient(app.url).call("GET", "/api/videos", undefined, evil);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("strict transport security", () => {
  const https = { "x-forwarded-proto": "https" };

  it("is required behind a trusted HTTPS proxy, by cached responses too", async () => {
    const served = await startTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
    try {
      const client = createClient(served.url);
      for (let round = 0; round < 2; round += 1) {
        const response = await client.call("GET", "/api/tags", undefined, https);
        expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
        const plain = await client.call("GET", "/api/tags");
        expect(plain.headers.get("strict-transport-security")).toBeNull();
      }
      expect(served.context.http.cache.stats.hits).toBe(3);
    } finally {
      await served.stop();
    }
  });

  it("is not required when a client claims HTTPS without a trusted proxy", async () => {
    const response = await createClient(app.url).call("GET", "/api/tags", undefined, https);
    expect(response.headers.get("strict-transport-security")).toBeNull();
  });
});

describe("errors", () => {
  it("returns all errors in one format with a request id and the invalid fields", async () => {
    const response = await createClient(app.url).call("GET", "/api/videos?limit=101&sort=best");
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({
      code: "invalid",
      requestId: expect.stringMatching(/^[\w-]{12}$/),
      issues: [{ path: "limit" }, { path: "sort" }],
    });
    expect(response.headers.get("x-request-id")).toBe(response.json.requestId);
  });

  it("responds to unknown API addresses with JSON, never with a page", async () => {
    for (const path of ["/api", "/api/", "/api/unknown", "/api/videos/a/b/c"]) {
      const response = await createClient(app.url).call("GET", path);
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
      expect(response.json.code).toBe("not_found");
    }
  });

  it("refuses bodies of the wrong kind and accepts an empty one as no body", async () => {
    const client = createClient(app.url, admin);
    const broken = await fetch(`${app.url}/api/categories`, {
      method: "POST",
      headers: { cookie: admin, "content-type": "application/json" },
      body: "{nonsense",
    });
    expect(broken.status).toBe(400);
    expect((await client.call("POST", "/api/categories", { name: 7 })).status).toBe(400);
    expect((await client.call("POST", "/api/categories", { name: "   " })).status).toBe(400);
    const video = await makeVideo(app.db);
    const empty = await fetch(`${app.url}/api/videos/${video.id}/like`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    expect(empty.status).toBe(200);
  });

  it("returns no 500 for hostile text in any query field", async () => {
    const client = createClient(app.url);
    const texts = [
      "%00",
      "%27%20or%201=1--",
      "%25_%5C",
      "%F0%9F%8E%AC",
      "%3Cscript%3E",
      "a".repeat(200),
    ];
    for (const name of ["search", "category", "tag", "actor", "cursor"]) {
      for (const text of texts) {
        const { status } = await client.call("GET", `/api/videos?${name}=${text}`);
        expect([200, 400], `${name}=${text}`).toContain(status);
      }
    }
    expect((await client.call("GET", `/api/videos/${"x".repeat(400)}`)).status).toBe(400);
    expect((await client.call("GET", "/api/videos/%00")).status).toBeLessThan(500);
    expect((await client.call("GET", "/api/videos/%E0%A4%A")).status).toBeLessThan(500);
  });

  it("sets security headers on responses and errors alike", async () => {
    for (const path of ["/api/videos", "/api/unknown", "/healthz"]) {
      const { headers } = await createClient(app.url).call("GET", path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    }
  });
});

describe("responses to administrators", () => {
  it("marks all responses as uncacheable, including refusals and public calls", async () => {
    const client = createClient(app.url, admin);
    for (const path of [
      "/api/videos",
      "/api/settings",
      "/api/audit",
      "/api/admin/stats",
      "/api/ads",
    ]) {
      const { headers } = await client.call("GET", path);
      expect([path, headers.get("cache-control")]).toEqual([path, "private, no-store"]);
    }
    const refused = await client.call("POST", "/api/categories", { name: "" });
    expect([refused.status, refused.headers.get("cache-control")]).toEqual([
      400,
      "private, no-store",
    ]);
    const visitor = await createClient(app.url).call("GET", "/api/videos");
    expect(visitor.headers.get("cache-control")).toBe("no-cache");
  });
});

describe("health", () => {
  it("reports liveness, and readiness with the state of database, storage and queue", async () => {
    const client = createClient(app.url);
    expect((await client.call("GET", "/healthz")).json).toEqual({ status: "ok" });
    const ready = await client.call("GET", "/readyz");
    expect(ready.json).toEqual({
      status: "ok",
      checks: { database: "ok", storage: "ok", queue: "ok" },
    });
  });

  it("checks readiness once for many calls at the same time", async () => {
    const check = vi.spyOn(app.context.storage, "checkHealth");
    const calls = Array.from({ length: 20 }, () => createClient(app.url).call("GET", "/readyz"));
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect(check.mock.calls.length).toBeLessThan(10);
  });

  it("responds to health checks of signed-in users without the database", async () => {
    const client = createClient(app.url, await app.signIn());
    const find = vi.spyOn(app.context.auth, "findUser").mockRejectedValue(new Error("away"));
    expect((await client.call("GET", "/healthz")).status).toBe(200);
    expect((await client.call("GET", "/readyz")).status).toBe(200);
    expect((await client.call("GET", "/api/videos")).status).toBe(500);
    find.mockRestore();
  });

  it("shows every call on a page that is rendered once", async () => {
    const describeApi = vi.spyOn(app.context.http.app, "swagger");
    const client = createClient(app.url);
    const pages = [await client.call("GET", "/api/docs"), await client.call("GET", "/api/docs")];
    for (const { text } of pages) expect(text).toContain("<code>/api/videos/{id}/like</code>");
    expect(describeApi.mock.calls.length).toBeLessThan(2);
    describeApi.mockRestore();
  });

  it("describes the API in openapi.json without dangling references", async () => {
    const response = await createClient(app.url).call("GET", "/api/openapi.json");
    expect(response.status).toBe(200);
    const text = JSON.stringify(response.json);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(response.json.components.schemas)).toContain(name);
    }
    expect(Object.keys(response.json.paths)).toEqual(
      expect.arrayContaining(["/api/videos", "/api/videos/{id}/like", "/api/settings"]),
    );
  });

  it("describes the response of every change, and the bodies of uploads", async () => {
    const { json } = await createClient(app.url).call("GET", "/api/openapi.json");
    const paths: Record<string, Record<string, { responses: object }>> = json.paths;
    const undeclared = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) => {
        const isDefault =
          JSON.stringify(responses) === '{"200":{"description":"Default Response"}}';
        return method !== "get" && isDefault ? [`${method} ${path}`] : [];
      }),
    );
    // Forms that respond with a page.
    expect(undeclared.toSorted()).toEqual(["post /api/age", "post /pass", "post /report-senders"]);
    expect(paths["/api/tags/{id}"]?.["delete"]).toMatchObject({ responses: { 204: {} } });
    const file = { schema: { type: "string", format: "binary" } };
    for (const [method, path, types] of [
      ["put", "/api/settings/logo", ["image/jpeg", "image/png", "image/webp"]],
      ["post", "/api/admin/imports/videos", ["text/csv"]],
      ["patch", "/api/uploads/{id}", ["application/offset+octet-stream"]],
    ] as const) {
      const content = Object.fromEntries(types.map((type) => [type, file]));
      expect(paths[path]?.[method]).toMatchObject({ requestBody: { content } });
    }
    const properties = { title: { type: "string" }, video: file.schema, thumbnail: file.schema };
    const form = { schema: { properties, required: ["title"] } };
    const upload = { requestBody: { content: { "multipart/form-data": form } } };
    expect(paths["/api/videos"]?.["post"]).toMatchObject(upload);
  });
});
