import { beforeAll, describe, expect, it } from "vitest";
import {
  accountRoles,
  actions,
  can,
  canBeScope,
  type AccountRole,
  type Action,
} from "#contract/accounts/policy.ts";
import { createClient, useTestApp } from "#test/app.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { newToken, sha256 } from "#server/lib/ids.ts";
import { byAction, confirming, open, signedIn } from "./authorisation.fixture.ts";
import { newSessionToken } from "./session-cookie.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** The response never ends for an admin, so this test can't wait for all of it. */
const eventStream = "GET /api/admin/events";

const cookies = { visitor: "", user: "", admin: "", expired: "", forged: "" };

const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
beforeAll(async () => {
  const visitor = createClient(app.url);
  const video = await makeVideo(app.db);
  await visitor.call("POST", `/api/videos/${video.id}/favorite`);
  cookies.visitor = `visitor=${visitor.jar.get("visitor") ?? ""}`;
  cookies.user = await app.signIn("USER");
  cookies.admin = await app.signIn("ADMIN");
  const token = newSessionToken(app.context.secret);
  const admin = await makeUser(app.db, { role: "ADMIN" });
  await app.db
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

/** Returns the operations of the route table. Leaves out each HEAD that belongs to a GET. */
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

/** Calls an operation without a body. Each identity uses its own address because of rate limits. */
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
  it("has an expectation for every operation and no others", async () => {
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
    "responds to calls without cookies, visitors, other roles, expired and forged sessions according to the policy",
    { timeout: 120_000 },
    async () => {
      expect(cookies.visitor.length).toBeGreaterThan(40);
      for (const operation of operations()) {
        const status = open[operation];
        const requiresSignIn = signedIn[operation] !== undefined;
        const refused = {
          none: 401,
          visitor: 401,
          user: requiresSignIn ? signedIn[operation] : 403,
          expired: 401,
          forged: 401,
        };
        const expected =
          status === undefined
            ? refused
            : { none: status, visitor: status, user: status, expired: status, forged: status };
        // Concurrent, because each identity has its own session and address.
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

  it("refuses every state-changing operation from another origin, even with an admin's session", async () => {
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

  it("refuses every operation of the back office to a script of a public page", async () => {
    const client = createClient(app.url, cookies.admin);
    for (const operation of [...Object.keys(signedIn), ...Object.keys(byAction)]) {
      const [method = "", url = ""] = operation.split(" ");
      const { status, json } = await client.call(method, fill(url), undefined, {
        "sec-fetch-site": "same-origin",
        "sec-fetch-dest": "empty",
      });
      const code = method === "HEAD" ? "page_token_required" : json?.code;
      expect({ operation, status, code }).toEqual({
        operation,
        status: 403,
        code: "page_token_required",
      });
    }
  });

  it.each(accountRoles)(
    "lets the role %s call what the policy table allows, and no more",
    async (role) => {
      const cookie = role === "ADMIN" ? cookies.admin : await app.signIn(role);
      for (const [operation, required] of Object.entries(byAction)) {
        const isAllowed = [required].flat().some((action) => can(role, action));
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

  it("requires confirmation exactly where the table does", () => {
    const actual = app.routes
      .filter(({ confirms }) => confirms !== null)
      .map(({ method, url, confirms }) => [`${method} ${url}`, confirms]);
    expect(Object.fromEntries(actual)).toEqual(confirming);
  });

  /**
   * Calls operations with an API token. Returns those that contradict the table.
   * @param chosen operations with the actions of which they require one. Tokens can't call an
   * operation without any.
   */
  async function walkWithToken(
    role: AccountRole,
    scopes: readonly Action[],
    chosen: readonly (readonly [operation: string, required: Action | readonly Action[]])[],
  ): Promise<unknown[]> {
    const client = createClient(app.url, await app.signIn(role));
    const created = await client.call("POST", "/api/account/tokens", { name: "walk", scopes });
    const headers = { authorization: `Bearer ${created.json.token}` };
    const wrong: unknown[] = [];
    for (const [operation, required] of chosen) {
      const isAllowed = [required]
        .flat()
        .some((action) => can(role, action) && scopes.includes(action));
      if (isAllowed && operation === eventStream) continue;
      const status = await statusOf(operation, "", headers);
      const isRefused = status === 401 || status === 403;
      if (isRefused === isAllowed || status >= 500) wrong.push({ operation, status, isAllowed });
    }
    return wrong;
  }

  it.each(accountRoles.filter((role) => role !== "USER"))(
    "lets an API token with every scope of the role %s do no more than the table allows tokens",
    { timeout: 120_000 },
    async (role) => {
      const scopes = actions.filter((action) => can(role, action) && canBeScope(action));
      const own = Object.keys(signedIn).map((operation) => [operation, []] as const);
      expect(await walkWithToken(role, scopes, [...own, ...Object.entries(byAction)])).toEqual([]);
    },
  );

  it.each(actions.filter(canBeScope))(
    "lets an API token do what the scope %s allows with this scope alone, and not with all others",
    async (scope) => {
      const others = actions.filter((action) => action !== scope && canBeScope(action));
      const chosen = Object.entries(byAction).filter(([, required]) =>
        [required].flat().includes(scope),
      );
      expect(await walkWithToken("OWNER", [scope], chosen)).toEqual([]);
      expect(await walkWithToken("OWNER", others, chosen)).toEqual([]);
    },
  );

  it("refuses an API token with a scope that tokens can't have", async () => {
    const owner = createClient(app.url, await app.signIn("OWNER"));
    for (const scope of actions.filter((action) => !canBeScope(action))) {
      const body = { name: "too much", scopes: [scope] };
      const { status } = await owner.call("POST", "/api/account/tokens", body);
      expect({ scope, status }).toEqual({ scope, status: 400 });
    }
  });

  it("checks the table for each kind of change that depends on the body", async () => {
    const moderator = createClient(app.url, await app.signIn("MODERATOR"));
    const { id } = await makeVideo(app.db, { is_published: false });
    const put = (body: unknown) => moderator.call("PUT", `/api/videos/${id}`, body);
    const bulk = (action: unknown) =>
      moderator.call("POST", "/api/admin/bulk", { action, target: { ids: [id] } });
    expect((await put({ isPublished: true })).status).toBe(200);
    expect((await put({ isPublished: false, title: "Changed" })).status).toBe(403);
    expect((await put({ isPremium: true })).status).toBe(403);
    expect((await bulk({ kind: "publish" })).status).toBe(202);
    expect((await bulk({ kind: "set_premium", isPremium: true })).status).toBe(403);
    expect((await bulk({ kind: "delete" })).status).toBe(403);

    const admin = createClient(app.url, cookies.admin);
    const cancel = async (action: unknown) => {
      const body = { action, target: { ids: [id] } };
      const job = await admin.call("POST", "/api/admin/bulk", body);
      return (await moderator.call("POST", `/api/admin/bulk/${job.json.id}/cancel`)).status;
    };
    expect(await cancel({ kind: "unpublish" })).toBe(200);
    expect(await cancel({ kind: "set_premium", isPremium: true })).toBe(403);
    expect(await cancel({ kind: "delete" })).toBe(403);
  });

  it("shows drafts only to back-office roles", async () => {
    const { id } = await makeVideo(app.db, { is_published: false });
    for (const role of accountRoles) {
      const client = createClient(app.url, await app.signIn(role));
      const { status, headers } = await client.call("GET", `/api/videos/${id}`);
      const expected = role === "USER" ? 404 : 200;
      expect({ role, status }).toEqual({ role, status: expected });
      if (status === 200) expect(headers.get("cache-control")).toBe("private, no-store");
    }
  });
});
