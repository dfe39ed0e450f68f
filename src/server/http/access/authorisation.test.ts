import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { makeUser } from "../../../../test/factories/make-user.ts";
import { makeVideo } from "../../../../test/factories/make-video.ts";
import { newToken, sha256 } from "../../lib/ids.ts";
import { newSessionToken } from "./session-cookie.ts";

/**
 * Operations for everyone, with the status of a call that has no body and names what does not exist:
 * each identity gets the same. State-changing ones are refused to other origins.
 */
const open: Record<string, number> = {
  "GET /.well-known/security.txt": 404,
  "GET /actors/:slug/feed.rss": 404,
  "GET /api/actors": 200,
  "GET /api/actors/:id": 404,
  "POST /api/ads/:id/click": 404,
  "GET /api/ads/:id/documents": 404,
  "POST /api/ads/:id/event": 400,
  "POST /api/ads/:id/impression": 404,
  "GET /api/ads/public": 200,
  "GET /api/auth/session": 200,
  "POST /api/auth/setup": 400,
  "POST /api/auth/signin": 400,
  "POST /api/auth/signout": 204,
  "GET /api/categories": 200,
  "GET /api/categories/:id": 404,
  "GET /api/docs": 200,
  "GET /api/favorites": 200,
  "GET /api/feed": 200,
  "GET /api/oembed": 400,
  "GET /api/openapi.json": 200,
  "GET /api/pages/:name": 400,
  "GET /api/search/suggest": 200,
  "GET /api/settings/public": 200,
  "POST /api/spots/:id/click": 404,
  "GET /api/spots/:id/documents": 404,
  "POST /api/spots/:id/event": 400,
  "POST /api/spots/:id/impression": 404,
  "GET /api/spots/public": 200,
  "GET /api/tags": 200,
  "GET /api/tags/:id": 404,
  "GET /api/trending/stats": 200,
  "GET /api/videos": 200,
  "GET /api/videos/:id": 404,
  "DELETE /api/videos/:id/favorite": 404,
  "GET /api/videos/:id/favorite": 404,
  "POST /api/videos/:id/favorite": 404,
  "GET /api/videos/:id/like": 404,
  "POST /api/videos/:id/like": 404,
  "GET /api/videos/:id/midroll": 404,
  "GET /api/videos/:id/related": 404,
  "POST /api/videos/:id/watch": 400,
  "GET /api/videos/:id/why": 404,
  "POST /api/visits": 400,
  "GET /categories/:slug/feed.rss": 404,
  "GET /feed.rss": 200,
  "GET /healthz": 200,
  "GET /manifest.webmanifest": 200,
  "GET /media/*": 404,
  "GET /readyz": 200,
  "GET /robots.txt": 200,
  "GET /sitemap-:part.xml": 404,
  "GET /sitemap.xml": 200,
  "GET /source.tar.gz": 200,
  "GET /spots/frame/:id": 404,
  "GET /spots/preview": 200,
  "GET /spots/script/:id/:index": 400,
  "GET /tags/:slug/feed.rss": 404,
};

/** Operations for every user who is signed in, with the status of a call without a body. */
const signedIn: Record<string, number> = { "POST /api/auth/password": 400 };

/** Operations for users with the role ADMIN. */
const adminOnly = new Set([
  "POST /api/actors",
  "DELETE /api/actors/:id",
  "PUT /api/actors/:id",
  "POST /api/actors/:id/merge",
  "DELETE /api/actors/:id/picture",
  "PUT /api/actors/:id/picture",
  "GET /api/admin/audit",
  "GET /api/admin/bulk",
  "POST /api/admin/bulk",
  "GET /api/admin/bulk/:id",
  "POST /api/admin/bulk/:id/cancel",
  "GET /api/admin/events",
  "GET /api/admin/statistics",
  "GET /api/admin/stats",
  "GET /api/admin/system",
  "GET /api/admin/videos",
  "PUT /api/admin/videos/:id/schedule",
  "PUT /api/admin/videos/:id/thumbnail",
  "GET /api/ads",
  "POST /api/ads",
  "DELETE /api/ads/:id",
  "GET /api/ads/:id",
  "PUT /api/ads/:id",
  "GET /api/ads/:id/stats",
  "GET /api/ads/:id/stats.csv",
  "POST /api/ads/vast-test",
  "POST /api/categories",
  "DELETE /api/categories/:id",
  "PUT /api/categories/:id",
  "POST /api/categories/:id/merge",
  "DELETE /api/categories/:id/picture",
  "PUT /api/categories/:id/picture",
  "GET /api/referrals",
  "POST /api/referrals",
  "DELETE /api/referrals/:id",
  "PUT /api/referrals/:id",
  "GET /api/referrals/:id/stats",
  "GET /api/referrals/:id/stats.csv",
  "GET /api/settings",
  "POST /api/settings",
  "POST /api/tags",
  "DELETE /api/tags/:id",
  "PUT /api/tags/:id",
  "POST /api/tags/:id/merge",
  "DELETE /api/tags/:id/picture",
  "PUT /api/tags/:id/picture",
  "OPTIONS /api/uploads",
  "POST /api/uploads",
  "DELETE /api/uploads/:id",
  "HEAD /api/uploads/:id",
  "PATCH /api/uploads/:id",
  "POST /api/videos",
  "DELETE /api/videos/:id",
  "PUT /api/videos/:id",
  "POST /api/videos/:id/retry",
]);

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** Never ends for an admin, so that this test cannot wait for the whole response. */
const eventStream = "GET /api/admin/events";

let app: TestApp;
const cookies = { visitor: "", user: "", admin: "", expired: "", forged: "" };

beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
  const { db } = app.database;
  const visitor = createClient(app.url);
  const video = await makeVideo(db);
  await visitor.call("POST", `/api/videos/${video.id}/favorite`);
  cookies.visitor = `visitor=${visitor.jar.get("visitor") ?? ""}`;
  cookies.user = await app.signIn("USER");
  cookies.admin = await app.signIn("ADMIN");
  const token = newSessionToken(app.context.secret);
  const admin = await makeUser(db, { role: "ADMIN" });
  await db
    .insertInto("sessions")
    .values({
      token_hash: sha256(token),
      user_id: admin.id,
      expires_at: new Date(Date.now() - 1000),
    })
    .execute();
  cookies.expired = `session=${token}`;
  cookies.forged = `session=${newToken(45)}`;
});
afterAll(() => app.stop());

/** The operations of the route table. A HEAD that belongs to a GET needs no line of its own. */
const operations = () => [
  ...new Set(
    app.routes.map(({ method, url }) => `${method} ${url}`).filter((key) => !isHeadOfGet(key)),
  ),
];
const isHeadOfGet = (key: string) =>
  key.startsWith("HEAD ") &&
  app.routes.some(({ method, url }) => method === "GET" && key === `HEAD ${url}`);

const fill = (pattern: string) =>
  pattern.replace(/:[A-Za-z]+/g, "01900000-0000-7000-8000-000000000000").replace("*", "x");

/** Calls an operation without a body. Each identity has an address of its own, for the limits. */
async function statusOf(operation: string, cookie: string, headers: Record<string, string> = {}) {
  const [method = "", url = ""] = operation.split(" ");
  const address = `10.0.0.${[...Object.values(cookies), ""].indexOf(cookie) + 1}`;
  const response = await createClient(app.url, cookie).call(method, fill(url), undefined, {
    "x-forwarded-for": address,
    ...headers,
  });
  return response.status;
}

describe("authorisation", () => {
  it("has an expectation for every operation, and none for others", async () => {
    const expected = [...Object.keys(open), ...Object.keys(signedIn), ...adminOnly];
    expect(operations().toSorted()).toEqual(expected.toSorted());
    const { json } = await createClient(app.url).call("GET", "/api/openapi.json");
    const documented = Object.entries<Record<string, unknown>>(json.paths).flatMap(
      ([path, methods]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        ),
    );
    expect(expected).toEqual(expect.arrayContaining(documented));
  });

  it("responds to calls without cookies, visitors, other roles, expired and forged sessions as the policy demands", async () => {
    expect(cookies.visitor.length).toBeGreaterThan(40);
    for (const operation of operations()) {
      const status = open[operation];
      const isForUsers = signedIn[operation] !== undefined;
      const refused = {
        none: 401,
        visitor: 401,
        user: isForUsers ? signedIn[operation] : 403,
        expired: 401,
        forged: 401,
      };
      const expected =
        status === undefined
          ? refused
          : { none: status, visitor: status, user: status, expired: status, forged: status };
      const actual = {
        none: await statusOf(operation, ""),
        visitor: await statusOf(operation, cookies.visitor),
        user: await statusOf(operation, cookies.user),
        expired: await statusOf(operation, cookies.expired),
        forged: await statusOf(operation, cookies.forged),
      };
      expect({ operation, ...actual }).toEqual({ operation, ...expected });
      if (operation === "POST /api/auth/signout") cookies.user = await app.signIn("USER");
    }
  });

  it("refuses every state-changing operation of a foreign origin, an admin's too", async () => {
    for (const operation of operations()) {
      if (safeMethods.has(operation.split(" ")[0] ?? "")) continue;
      const { admin } = cookies;
      const statuses = [
        await statusOf(operation, admin, { origin: "https://evil.example" }),
        await statusOf(operation, admin, { origin: "null" }),
        await statusOf(operation, admin, { "sec-fetch-site": "cross-site" }),
      ];
      expect({ operation, statuses }).toEqual({ operation, statuses: [403, 403, 403] });
    }
  });

  it("lets an admin call what is for admins", async () => {
    for (const operation of adminOnly) {
      if (operation === eventStream) continue;
      const status = await statusOf(operation, cookies.admin);
      expect({ operation, status, isRefused: status === 401 || status === 403 }).toEqual({
        operation,
        status,
        isRefused: false,
      });
      expect({ operation, isFailure: status >= 500 }).toEqual({ operation, isFailure: false });
    }
  });
});
