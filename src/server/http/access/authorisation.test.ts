import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountRoles, can, type Action } from "#contract/accounts/policy.ts";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { newToken, sha256 } from "#server/lib/ids.ts";
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
  "GET /api/ads/:id/targets": 404,
  "GET /api/ads/public": 200,
  "POST /api/auth/forgot": 400,
  "POST /api/auth/invitation": 400,
  "POST /api/auth/invitation/accept": 400,
  "POST /api/auth/passkey": 400,
  "POST /api/auth/passkey/options": 409,
  "POST /api/auth/reset": 400,
  "POST /api/auth/second-factor": 400,
  "GET /api/auth/session": 200,
  "POST /api/auth/setup": 400,
  "POST /api/auth/signin": 400,
  "POST /api/auth/signout": 204,
  "POST /api/age": 400,
  "GET /api/categories": 200,
  "GET /api/categories/:id": 404,
  "GET /api/docs": 200,
  "GET /api/favorites": 200,
  "POST /api/forget": 200,
  "GET /api/feed": 200,
  "GET /api/oembed": 400,
  "GET /api/openapi.json": 200,
  "GET /api/pages/:name": 400,
  "GET /api/privacy": 200,
  "GET /api/private/:secret": 404,
  "GET /api/search/suggest": 200,
  "GET /api/settings/public": 200,
  "POST /api/spots/:id/click": 404,
  "GET /api/spots/:id/documents": 404,
  "POST /api/spots/:id/event": 400,
  "POST /api/spots/:id/impression": 404,
  "GET /api/spots/:id/targets": 404,
  "GET /api/spots/public": 200,
  "POST /api/report-mails/end": 400,
  "POST /api/spots/shared-report": 400,
  "GET /api/takedowns": 404,
  "POST /api/takedowns": 400,
  "POST /api/transfers": 400,
  "POST /api/transfers/claim": 400,
  "GET /api/tags": 200,
  "GET /api/tags/:id": 404,
  "GET /api/trending/stats": 200,
  "GET /api/videos": 200,
  "GET /api/videos/:id": 404,
  "DELETE /api/videos/:id/favorite": 404,
  "GET /api/videos/:id/favorite": 404,
  "POST /api/videos/:id/favorite": 404,
  "GET /api/videos/:id/comments": 404,
  "POST /api/videos/:id/comments": 400,
  "GET /api/videos/:id/like": 404,
  "POST /api/videos/:id/like": 404,
  "GET /api/videos/:id/midroll": 404,
  "GET /api/videos/:id/related": 404,
  "POST /api/videos/:id/reports": 400,
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
  "GET /ads.txt": 404,
  "GET /app-ads.txt": 404,
  "GET /sellers.json": 404,
  "GET /sitemap-:part.xml": 404,
  "GET /sitemap.xml": 200,
  "GET /source.tar.gz": 200,
  "GET /spots/frame/:id": 404,
  "GET /spots/preview": 200,
  "GET /spots/script/:id/:index": 400,
  "GET /tags/:slug/feed.rss": 404,
};

/** Operations for every user who is signed in, with the status of a call without a body. */
const signedIn: Record<string, number> = {
  "GET /api/account": 200,
  "PUT /api/account": 400,
  "POST /api/account/confirm": 400,
  "POST /api/account/email": 400,
  "POST /api/account/passkeys": 400,
  "DELETE /api/account/passkeys/:id": 404,
  "POST /api/account/passkeys/options": 409,
  "POST /api/account/recovery-codes": 409,
  "GET /api/account/sessions": 200,
  "DELETE /api/account/sessions/:id": 404,
  "GET /api/account/tokens": 200,
  "POST /api/account/tokens": 400,
  "DELETE /api/account/tokens/:id": 404,
  "DELETE /api/account/totp": 204,
  "POST /api/account/totp": 200,
  "POST /api/account/totp/confirm": 400,
  "POST /api/auth/password": 400,
  "DELETE /api/account/sessions": 204,
};

/** Operations of the back office, with the action that the policy table must allow. */
const byAction: Record<string, Action> = {
  "POST /api/actors": "content.edit",
  "DELETE /api/actors/:id": "content.remove",
  "PUT /api/actors/:id": "content.edit",
  "POST /api/actors/:id/merge": "content.edit",
  "DELETE /api/actors/:id/picture": "content.edit",
  "PUT /api/actors/:id/picture": "content.edit",
  "GET /api/admin/trash": "content.remove",
  "DELETE /api/admin/trash/:id": "content.remove",
  "POST /api/admin/trash/:id/restore": "content.remove",
  "GET /api/admin/audit": "audit.read",
  "GET /api/admin/bulk": "content.read",
  "POST /api/admin/bulk": "content.publish",
  "POST /api/admin/bulk/reprocess/plan": "content.edit",
  "GET /api/admin/bulk/:id": "content.read",
  "POST /api/admin/bulk/:id/cancel": "content.publish",
  "GET /api/admin/doctor": "settings.edit",
  "GET /api/admin/events": "content.read",
  "GET /api/admin/export/actors": "content.read",
  "GET /api/admin/export/ads": "ads.read",
  "GET /api/admin/export/categories": "content.read",
  "GET /api/admin/export/referrals": "referrals.read",
  "GET /api/admin/export/tags": "content.read",
  "GET /api/admin/export/videos": "content.read",
  "GET /api/admin/import-folder": "content.edit",
  "GET /api/admin/imports": "content.edit",
  "GET /api/admin/imports/:id": "content.edit",
  "POST /api/admin/imports/:id/cancel": "content.edit",
  "POST /api/admin/imports/:id/check": "content.edit",
  "GET /api/admin/imports/:id/problems": "content.edit",
  "POST /api/admin/imports/:id/start": "content.edit",
  "POST /api/admin/imports/actors": "content.edit",
  "POST /api/admin/imports/ads": "ads.approve",
  "POST /api/admin/imports/categories": "content.edit",
  "POST /api/admin/imports/referrals": "referrals.edit",
  "POST /api/admin/imports/tags": "content.edit",
  "POST /api/admin/imports/videos": "content.edit",
  "GET /api/admin/people": "people.manage",
  "PUT /api/admin/people/rules": "people.manage",
  "DELETE /api/admin/people/:id": "people.manage",
  "PUT /api/admin/people/:id": "people.manage",
  "DELETE /api/admin/people/:id/sessions": "people.manage",
  "GET /api/admin/people/:id/sessions": "people.manage",
  "DELETE /api/admin/people/:id/sessions/:sessionId": "people.manage",
  "POST /api/admin/people/invitations": "people.manage",
  "DELETE /api/admin/people/invitations/:id": "people.manage",
  "GET /api/admin/blocked-files": "reports.read",
  "DELETE /api/admin/blocked-files/:id": "reports.handle",
  "GET /api/admin/reports": "reports.read",
  "GET /api/admin/reports/assignees": "reports.handle",
  "GET /api/admin/reports/:id": "reports.read",
  "PUT /api/admin/reports/:id": "reports.handle",
  "POST /api/admin/reports/:id/action": "reports.handle",
  "POST /api/admin/reports/:id/notes": "reports.handle",
  "GET /api/admin/statistics": "statistics.read",
  "GET /api/admin/stats": "statistics.read",
  "GET /api/admin/system": "statistics.read",
  "GET /api/admin/videos": "content.read",
  "PUT /api/admin/videos/:id/schedule": "content.publish",
  "GET /api/admin/videos/:id/link": "content.edit",
  "PUT /api/admin/videos/:id/link": "content.edit",
  "DELETE /api/admin/videos/:id/link": "content.edit",
  "POST /api/admin/videos/:id/file": "content.edit",
  "DELETE /api/admin/videos/:id/file": "content.edit",
  "PUT /api/admin/videos/:id/thumbnail": "content.edit",
  "GET /api/admin/videos/:id/captions": "content.read",
  "POST /api/admin/videos/:id/captions": "content.edit",
  "POST /api/admin/videos/:id/captions/automatic": "content.edit",
  "GET /api/admin/videos/:id/captions/:captionId": "content.read",
  "PUT /api/admin/videos/:id/captions/:captionId": "content.edit",
  "DELETE /api/admin/videos/:id/captions/:captionId": "content.edit",
  "GET /api/admin/webhooks": "webhooks.manage",
  "POST /api/admin/webhooks": "webhooks.manage",
  "DELETE /api/admin/webhooks/:id": "webhooks.manage",
  "PUT /api/admin/webhooks/:id": "webhooks.manage",
  "GET /api/admin/webhooks/:id/deliveries": "webhooks.manage",
  "POST /api/admin/webhooks/deliveries/:id/again": "webhooks.manage",
  "GET /api/ad-report": "ads.read",
  "GET /api/ad-report.csv": "ads.read",
  "GET /api/advertisers": "ads.read",
  "POST /api/advertisers": "ads.approve",
  "DELETE /api/advertisers/:id": "ads.approve",
  "PUT /api/advertisers/:id": "ads.approve",
  "DELETE /api/advertisers/:id/share": "ads.approve",
  "POST /api/advertisers/:id/share": "ads.approve",
  "GET /api/report-mails": "ads.approve",
  "POST /api/report-mails": "ads.approve",
  "DELETE /api/report-mails/:id": "ads.approve",
  "GET /api/campaigns": "ads.read",
  "POST /api/campaigns": "ads.approve",
  "DELETE /api/campaigns/:id": "ads.approve",
  "GET /api/campaigns/:id": "ads.read",
  "PUT /api/campaigns/:id": "ads.approve",
  "GET /api/ads": "ads.read",
  "POST /api/ads": "ads.edit",
  "DELETE /api/ads/:id": "ads.approve",
  "GET /api/ads/:id": "ads.read",
  "PUT /api/ads/:id": "ads.edit",
  "GET /api/ads/:id/stats": "ads.read",
  "GET /api/ads/:id/stats.csv": "ads.read",
  "POST /api/ads/vast-test": "ads.edit",
  "POST /api/categories": "content.edit",
  "DELETE /api/categories/:id": "content.remove",
  "PUT /api/categories/:id": "content.edit",
  "POST /api/categories/:id/merge": "content.edit",
  "DELETE /api/categories/:id/picture": "content.edit",
  "PUT /api/categories/:id/picture": "content.edit",
  "GET /api/referrals": "referrals.read",
  "POST /api/referrals": "referrals.edit",
  "DELETE /api/referrals/:id": "referrals.edit",
  "PUT /api/referrals/:id": "referrals.edit",
  "GET /api/referrals/:id/stats": "referrals.read",
  "GET /api/referrals/:id/stats.csv": "referrals.read",
  "GET /api/admin/texts": "settings.edit",
  "PUT /api/admin/texts/:language/:id": "settings.edit",
  "GET /api/settings": "settings.edit",
  "POST /api/settings": "settings.edit",
  "PUT /api/settings/favicon": "settings.edit",
  "PUT /api/settings/logo": "settings.edit",
  "GET /api/admin/storage": "statistics.read",
  "POST /api/tags": "content.edit",
  "DELETE /api/tags/:id": "content.remove",
  "PUT /api/tags/:id": "content.edit",
  "POST /api/tags/:id/merge": "content.edit",
  "DELETE /api/tags/:id/picture": "content.edit",
  "PUT /api/tags/:id/picture": "content.edit",
  "OPTIONS /api/uploads": "content.edit",
  "POST /api/uploads": "content.edit",
  "DELETE /api/uploads/:id": "content.edit",
  "HEAD /api/uploads/:id": "content.edit",
  "PATCH /api/uploads/:id": "content.edit",
  "POST /api/videos": "content.edit",
  "DELETE /api/videos/:id": "content.remove",
  "PUT /api/videos/:id": "content.publish",
  "POST /api/videos/:id/reprocess": "content.edit",
  "POST /api/videos/:id/retry": "content.edit",
  "GET /api/admin/videos/:id/files": "content.read",
  "GET /api/admin/videos/:id/statistics": "statistics.read",
  "GET /api/admin/videos/:id/original": "content.edit",
};

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
    const expected = [open, signedIn, byAction].flatMap((table) => Object.keys(table));
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

  it(
    "responds to calls without cookies, visitors, other roles, expired and forged sessions as the policy demands",
    { timeout: 120_000 },
    async () => {
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
        // At once: each identity has a session and an address of its own.
        const [none, visitor, user, expired, forged] = await Promise.all(
          ["", cookies.visitor, cookies.user, cookies.expired, cookies.forged].map((cookie) =>
            statusOf(operation, cookie),
          ),
        );
        const actual = { none, visitor, user, expired, forged };
        expect({ operation, ...actual }).toEqual({ operation, ...expected });
        const endsSession = ["POST /api/auth/signout", "DELETE /api/account/sessions"];
        if (endsSession.includes(operation)) cookies.user = await app.signIn("USER");
      }
    },
  );

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

  it.each(accountRoles)(
    "lets the role %s call what the policy table allows, and no more",
    async (role) => {
      const cookie = role === "ADMIN" ? cookies.admin : await app.signIn(role);
      for (const [operation, action] of Object.entries(byAction)) {
        const isAllowed = can(role, action);
        if (isAllowed && operation === eventStream) continue;
        const status = await statusOf(operation, cookie);
        const isRefused = status === 401 || status === 403;
        expect({ operation, status, isRefused, isFailure: status >= 500 }).toEqual({
          operation,
          status,
          isRefused: !isAllowed,
          isFailure: false,
        });
      }
    },
  );

  it("asks the table for each kind of change where the body decides", async () => {
    const moderator = createClient(app.url, await app.signIn("MODERATOR"));
    const { id } = await makeVideo(app.database.db, { is_published: false });
    const put = (body: unknown) => moderator.call("PUT", `/api/videos/${id}`, body);
    const bulk = (action: unknown) =>
      moderator.call("POST", "/api/admin/bulk", { action, target: { ids: [id] } });
    expect((await put({ isPublished: true })).status).toBe(200);
    expect((await put({ isPublished: false, title: "Changed" })).status).toBe(403);
    expect((await put({ isPremium: true })).status).toBe(403);
    expect((await bulk({ kind: "publish" })).status).toBe(202);
    expect((await bulk({ kind: "set_premium", isPremium: true })).status).toBe(403);
    expect((await bulk({ kind: "delete" })).status).toBe(403);
  });

  it("shows drafts to the roles of the back office alone", async () => {
    const { id } = await makeVideo(app.database.db, { is_published: false });
    for (const role of accountRoles) {
      const client = createClient(app.url, await app.signIn(role));
      const { status, headers } = await client.call("GET", `/api/videos/${id}`);
      const expected = role === "USER" ? 404 : 200;
      expect({ role, status }).toEqual({ role, status: expected });
      if (status === 200) expect(headers.get("cache-control")).toBe("private, no-store");
    }
  });
});
