import { describe, expect, it } from "vitest";
import { createClient, startTestApp, useTestApp, useClient } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";

const commandLine = { user: { id: null, email: "command line" }, requestId: "test" };

const app = useTestApp();
const owner = useClient(app, "OWNER");
const admin = useClient(app, "ADMIN");

const tokenOf = (path: string) => new URL(path, app.url).searchParams.get("token") ?? "";
const sessionOf = async (email: string) => {
  const { token } = await app.context.auth.signIn(email, testPassword, testOrigin);
  return { token, client: createClient(app.url, `session=${token}`) };
};
const actionsFor = async (email: string) => {
  const rows = await app.db.selectFrom("audit_log").selectAll().orderBy("at").execute();
  return rows
    .filter((row) => JSON.stringify([row.before, row.after]).includes(email))
    .map((row) => row.action);
};

describe("an invitation", () => {
  const invite = (email: string, role: string) =>
    admin.call("POST", "/api/admin/people/invitations", { email, role });

  it("opens once, for its address and role", async () => {
    const email = "invited@example.com";
    const { status, json } = await invite(email, "EDITOR");
    expect(status).toBe(201);
    expect(json).toMatchObject({ isMailed: false, invitation: { email, role: "EDITOR" } });
    const token = tokenOf(json.path);
    expect(token).toMatch(/[AQgw]$/);
    const client = createClient(app.url);
    const offer = await client.call("POST", "/api/auth/invitation", { token });
    expect(offer.json).toEqual({ email, role: "EDITOR" });
    const body = { token, password: "a good password", name: "مرحبا <script>" };
    const accepted = await client.call("POST", "/api/auth/invitation/accept", body);
    expect(accepted.status).toBe(201);
    expect(accepted.json).toMatchObject({ email, role: "EDITOR", name: body.name });
    expect((await client.call("GET", "/api/admin/videos")).status).toBe(200);
    expect((await client.call("GET", "/api/settings")).status).toBe(403);
    const again = await createClient(app.url).call("POST", "/api/auth/invitation/accept", body);
    expect(again.status).toBe(403);
    expect(await actionsFor(email)).toEqual([
      "account.invited",
      "account.created",
      "account.signed-in",
    ]);
  });

  it("ends when it is replaced or withdrawn, or when its author may no longer invite", async () => {
    const first = await invite("late@example.com", "ANALYST");
    const second = await invite("late@example.com", "MODERATOR");
    const isOpen = async (path: string) =>
      (await createClient(app.url).call("POST", "/api/auth/invitation", { token: tokenOf(path) }))
        .status === 200;
    expect(await isOpen(first.json.path)).toBe(false);
    expect(await isOpen(second.json.path)).toBe(true);
    const { id } = second.json.invitation;
    expect((await admin.call("DELETE", `/api/admin/people/invitations/${id}`)).status).toBe(204);
    expect(await isOpen(second.json.path)).toBe(false);

    const author = await makeUser(app.db, { is_owner: false });
    const { client } = await sessionOf(author.email);
    const body = { email: "friend@example.com", role: "ADMIN" };
    const third = await client.call("POST", "/api/admin/people/invitations", body);
    expect(await isOpen(third.json.path)).toBe(true);
    await admin.call("PUT", `/api/admin/people/${author.id}`, { isDisabled: true });
    expect(await isOpen(third.json.path)).toBe(false);

    const former = await makeUser(app.db, { is_owner: false });
    const invited = await (
      await sessionOf(former.email)
    ).client.call("POST", "/api/admin/people/invitations", body);
    expect(await isOpen(invited.json.path)).toBe(true);
    await app.context.auth.accounts.setRole(former.email, "USER", commandLine);
    expect(await isOpen(invited.json.path)).toBe(false);
  });

  it("stays open while its author may send it, whatever else their role allows", async () => {
    const author = await makeUser(app.db, { is_owner: false });
    const inviteAs = async (email: string, role: string) => {
      const { client } = await sessionOf(author.email);
      return (await client.call("POST", "/api/admin/people/invitations", { email, role })).json;
    };
    const open = async () => {
      const { json } = await owner.call("GET", "/api/admin/people");
      return json.invitations
        .filter(({ invitedBy }: { invitedBy: string }) => invitedBy === author.email)
        .map(({ role }: { role: string }) => role)
        .toSorted();
    };
    await inviteAs("staff@example.com", "EDITOR");
    await owner.call("PUT", `/api/admin/people/${author.id}`, { role: "OWNER" });
    await inviteAs("heir@example.com", "OWNER");
    expect(await open()).toEqual(["EDITOR", "OWNER"]);
    await app.context.auth.accounts.setRole(author.email, "ADMIN", commandLine);
    expect(await open()).toEqual(["EDITOR"]);
    await owner.call("PUT", `/api/admin/people/${author.id}`, { role: "EDITOR" });
    expect(await open()).toEqual([]);
  });

  it("requires an owner to replace or withdraw an owner's invitation", async () => {
    const email = "next-owner@example.com";
    const path = "/api/admin/people/invitations";
    const offer = { email, role: "OWNER" };
    const { json } = await owner.call("POST", path, offer);
    for (const role of ["EDITOR", "ADMIN", "OWNER"]) {
      expect({ role, status: (await invite(email.toUpperCase(), role)).status }).toEqual({
        role,
        status: 403,
      });
    }
    const { id } = json.invitation;
    expect((await admin.call("DELETE", `${path}/${id}`)).status).toBe(403);
    const token = tokenOf(json.path);
    const opened = await createClient(app.url).call("POST", "/api/auth/invitation", { token });
    expect(opened.json).toEqual(offer);
    expect((await owner.call("POST", path, { email, role: "EDITOR" })).status).toBe(201);
  });

  it("is refused for an address with an account, and for an owner unless an owner invites", async () => {
    const { email } = await makeUser(app.db);
    expect((await invite(email.toUpperCase(), "EDITOR")).status).toBe(409);
    expect((await invite("boss@example.com", "OWNER")).status).toBe(403);
    const body = { email: "boss@example.com", role: "OWNER" };
    expect((await owner.call("POST", "/api/admin/people/invitations", body)).status).toBe(201);
    expect((await invite("x".repeat(10_000) + "@example.com", "EDITOR")).status).toBe(400);
  });
});

describe("a change of a user", () => {
  it.each([
    ["another role", { role: "ANALYST" }, 401],
    ["a disabled account", { isDisabled: true }, 401],
  ])("ends every session: %s", async (_name, patch, status) => {
    const user = await makeUser(app.db, { role: "EDITOR" });
    const { client } = await sessionOf(user.email);
    expect((await client.call("GET", "/api/admin/videos")).status).toBe(200);
    const changed = await admin.call("PUT", `/api/admin/people/${user.id}`, patch);
    expect(changed.json).toMatchObject({ ...patch, sessions: 0 });
    expect((await client.call("GET", "/api/admin/videos")).status).toBe(status);
  });

  it("lets a disabled user sign in only after the account is enabled", async () => {
    const user = await makeUser(app.db, { role: "EDITOR" });
    const path = `/api/admin/people/${user.id}`;
    await admin.call("PUT", path, { isDisabled: true });
    await expect(sessionOf(user.email)).rejects.toMatchObject({ code: "invalid_credentials" });
    await admin.call("PUT", path, { isDisabled: false });
    expect((await sessionOf(user.email)).token).toBeTypeOf("string");
    expect(await actionsFor(user.email)).toEqual(
      expect.arrayContaining(["account.disabled", "account.enabled"]),
    );
  });

  it("lists sessions with their devices, and ends one or all", async () => {
    const user = await makeUser(app.db, { role: "EDITOR" });
    const agent = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0";
    const body = { email: user.email, password: testPassword };
    const browser = createClient(app.url);
    await browser.call("POST", "/api/auth/signin", body, { "user-agent": agent });
    const other = await sessionOf(user.email);
    const path = `/api/admin/people/${user.id}/sessions`;
    const { json } = await admin.call("GET", path);
    expect(json).toHaveLength(2);
    const found = json.find(({ device }: { device: string }) => device === "Firefox on Windows");
    expect((await admin.call("DELETE", `${path}/${found.id}`)).status).toBe(204);
    expect((await browser.call("GET", "/api/auth/session")).json.user).toBeNull();
    expect((await other.client.call("GET", "/api/auth/session")).json.user.id).toBe(user.id);
    expect((await admin.call("DELETE", `${path}/${found.id}`)).status).toBe(404);
    await admin.call("DELETE", path);
    expect((await other.client.call("GET", "/api/auth/session")).json.user).toBeNull();
  });
});

describe("owners", () => {
  it("lets only owners manage owners", async () => {
    const other = await makeUser(app.db);
    const path = `/api/admin/people/${other.id}`;
    expect((await admin.call("PUT", path, { role: "EDITOR" })).status).toBe(403);
    expect((await admin.call("PUT", path, { isDisabled: true })).status).toBe(403);
    expect((await admin.call("DELETE", path)).status).toBe(403);
    expect((await admin.call("DELETE", `${path}/sessions`)).status).toBe(403);
    const { token } = await app.context.auth.signIn(other.email, testPassword, testOrigin);
    const [session] = (await admin.call("GET", `${path}/sessions`)).json;
    expect((await admin.call("DELETE", `${path}/sessions/${session.id}`)).status).toBe(403);
    const signedIn = createClient(app.url, `session=${token}`);
    expect((await signedIn.call("GET", "/api/account")).status).toBe(200);
    const user = await makeUser(app.db, { role: "EDITOR" });
    const mine = `/api/admin/people/${user.id}`;
    expect((await admin.call("PUT", mine, { role: "OWNER" })).status).toBe(403);
    expect((await owner.call("PUT", mine, { role: "OWNER" })).json.role).toBe("OWNER");
    expect((await owner.call("DELETE", path)).status).toBe(204);
  });

  it("always include at least one, even if two leave at the same time", async () => {
    const site = await startTestApp();
    try {
      const { db } = site.database;
      const users = [await makeUser(db), await makeUser(db)];
      const clients = await Promise.all(
        users.map(async ({ email }) => {
          const { token } = await site.context.auth.signIn(email, testPassword, testOrigin);
          return createClient(site.url, `session=${token}`);
        }),
      );
      const results = await Promise.all(
        clients.map((client, at) =>
          client.call("PUT", `/api/admin/people/${users[at]?.id}`, { role: "EDITOR" }),
        ),
      );
      const statuses = results.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, 409]);
      const [last] = await db
        .selectFrom("users")
        .selectAll()
        .where("is_owner", "=", true)
        .execute();
      const client = clients[users.findIndex(({ id }) => id === last?.id)];
      for (const [method, body] of [
        ["PUT", { isDisabled: true }],
        ["PUT", { role: "ADMIN" }],
        ["DELETE", undefined],
      ] as const) {
        const { status } =
          (await client?.call(method, `/api/admin/people/${last?.id}`, body)) ?? {};
        expect({ method, status }).toEqual({ method, status: 409 });
      }
    } finally {
      await site.stop();
    }
  });

  it("makes the first account the owner if a site has no owner", async () => {
    const site = await startTestApp();
    try {
      const { accounts } = site.context.auth;
      const input = { password: "a good password", name: "", role: "ADMIN" } as const;
      const first = await accounts.create({ ...input, email: "first@example.com" }, commandLine);
      const second = await accounts.create({ ...input, email: "second@example.com" }, commandLine);
      expect([first.isOwner, second.isOwner]).toEqual([true, false]);
    } finally {
      await site.stop();
    }
  });
});
