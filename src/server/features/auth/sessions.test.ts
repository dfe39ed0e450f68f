import { beforeEach, describe, expect, it } from "vitest";
import { createClient, startTestApp, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";

let now = 0;
const dayMs = 24 * 3600 * 1000;
const commandLine = { user: { id: null, email: "command line" }, requestId: "test" };

const app = useTestApp({ clock: { now: () => now, date: () => new Date(now) } });
beforeEach(async () => {
  now = Date.now();
  await app.db.deleteFrom("sign_in_failures").execute();
});

/** Creates a signed-in browser. */
async function openBrowser(values: Parameters<typeof makeUser>[1] = {}) {
  const user = await makeUser(app.db, values);
  const client = createClient(app.url);
  await client.call("POST", "/api/auth/signin", { email: user.email, password: testPassword });
  const token = client.jar.get("session") ?? "";
  return { user, client, token };
}

const userOf = async (token: string) => {
  const client = createClient(app.url, `session=${token}`);
  return (await client.call("GET", "/api/auth/session")).json.user?.id ?? null;
};

describe("a session", () => {
  it("ends on sign-out", async () => {
    const { user, client, token } = await openBrowser();
    expect(await userOf(token)).toBe(user.id);
    expect((await client.call("POST", "/api/auth/signout")).status).toBe(204);
    expect(await userOf(token)).toBeNull();
  });

  it("is replaced when the same browser signs in again, while others continue", async () => {
    const { user, client, token } = await openBrowser();
    const elsewhere = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    await client.call("POST", "/api/auth/signin", { email: user.email, password: testPassword });
    expect(client.jar.get("session")).not.toBe(token);
    expect(await userOf(token)).toBeNull();
    expect(await userOf(client.jar.get("session") ?? "")).toBe(user.id);
    expect(await userOf(elsewhere.token)).toBe(user.id);
  });

  it("ends 30 days after it was last used", async () => {
    const { user, token } = await openBrowser();
    now += 20 * dayMs;
    expect(await userOf(token)).toBe(user.id);
    now += 29 * dayMs;
    expect(await userOf(token)).toBe(user.id);
    now += 31 * dayMs;
    expect(await userOf(token)).toBeNull();
  });

  it("counts the 30 days from each use", async () => {
    const { user, token } = await openBrowser();
    for (const days of [14, 29]) {
      now += days * dayMs;
      expect(await userOf(token)).toBe(user.id);
    }
  });

  it("ends after 90 days even if it is in use", async () => {
    const { user, token } = await openBrowser();
    for (let day = 0; day < 80; day += 10) {
      now += 10 * dayMs;
      expect(await userOf(token)).toBe(user.id);
    }
    now += 9 * dayMs;
    expect(await userOf(token)).toBe(user.id);
    now += 2 * dayMs;
    expect(await userOf(token)).toBeNull();
  });

  it("doesn't open if the password changes during the check", async () => {
    const { user } = await openBrowser();
    let attempt: Promise<unknown> = Promise.resolve();
    await app.db.transaction().execute(async (trx) => {
      const changed = trx.updateTable("users").set({ password_hash: "changed" });
      await changed.where("id", "=", user.id).execute();
      // The attempt reads the old hash and then waits for this transaction to end.
      attempt = app.context.auth.signIn(user.email, testPassword, testOrigin);
      attempt.catch(() => undefined);
      await expect.poll(() => countLockWaits(app.db)).toBe(1);
    });
    await expect(attempt).rejects.toMatchObject({ code: "invalid_credentials" });
  });
});

describe("a session that ends during a call", () => {
  /** Ends the user's sessions while `send` waits for its transaction. */
  async function endDuring<T>(userId: string, send: () => Promise<T>): Promise<T | undefined> {
    const calls: Promise<T>[] = [];
    await app.db.transaction().execute(async (trx) => {
      const changed = trx.updateTable("users").set({ password_hash: "changed" });
      await changed.where("id", "=", userId).execute();
      await app.context.auth.sessions.endUserSessions(trx, userId, "tokens too");
      // The call finds its session and then waits for this transaction to end.
      calls.push(send());
      await expect.poll(() => countLockWaits(app.db)).toBe(1);
    });
    return calls[0];
  }

  it("disables no account", async () => {
    const { user, client } = await openBrowser();
    const other = await makeUser(app.db, { role: "EDITOR" });
    const path = `/api/admin/people/${other.id}`;
    const call = await endDuring(user.id, () => client.call("PUT", path, { isDisabled: true }));
    expect(call?.status).toBe(401);
    const signedIn = app.context.auth.signIn(other.email, testPassword, testOrigin);
    expect((await signedIn).user.id).toBe(other.id);
  });

  it.each([
    ["API token", "/api/account/tokens", { name: "program", scopes: ["content.read"] }],
    ["invitation", "/api/admin/people/invitations", { email: "a@example.com", role: "EDITOR" }],
    ["address for reset links", "/api/account/email", { email: "thief@example.com" }],
  ])("creates no %s", async (_name, path, body) => {
    const { user, client } = await openBrowser();
    const call = await endDuring(user.id, () => client.call("POST", path, body));
    expect(call?.status).toBe(401);
    const counts = await Promise.all([
      app.db.selectFrom("api_tokens").select("id").where("user_id", "=", user.id).execute(),
      app.db.selectFrom("invitations").select("id").where("invited_by", "=", user.id).execute(),
      app.db.selectFrom("users").select("id").where("email", "=", "thief@example.com").execute(),
    ]);
    expect(counts).toEqual([[], [], []]);
  });
});

describe("accounts", () => {
  it("sets a new password from the command line and ends every session", async () => {
    const { user, token } = await openBrowser();
    const { accounts } = app.context.auth;
    const reset = () => accounts.resetPassword(user.email, "another password", commandLine);
    expect(await reset()).toEqual({ isDisabled: false });
    expect(await userOf(token)).toBeNull();
    const again = await createClient(app.url).call("POST", "/api/auth/signin", {
      email: user.email,
      password: "another password",
    });
    expect(again.status).toBe(200);
    const values = { disabled_at: new Date() };
    await app.db.updateTable("users").set(values).where("id", "=", user.id).execute();
    expect(await reset()).toEqual({ isDisabled: true });
    await expect(
      accounts.resetPassword("no@example.com", "x".repeat(9), commandLine),
    ).rejects.toThrow("No account found");
  });

  it("removes an account with its sessions, but never the only admin", async () => {
    const { user, token } = await openBrowser({ role: "USER" });
    const { accounts } = app.context.auth;
    await accounts.remove(user.email, commandLine);
    expect(await userOf(token)).toBeNull();

    const emptyApp = await startTestApp();
    try {
      const admin = await makeUser(emptyApp.db);
      const { remove } = emptyApp.context.auth.accounts;
      await expect(remove(admin.email, commandLine)).rejects.toMatchObject({ code: "conflict" });
      await makeUser(emptyApp.db);
      await remove(admin.email, commandLine);
    } finally {
      await emptyApp.stop();
    }
  });
});

describe("changing one's password", () => {
  const change = (client: ReturnType<typeof createClient>, currentPassword: string) =>
    client.call("POST", "/api/auth/password", { currentPassword, newPassword: "another password" });

  it("requires the old password, ends every other session and continues in a new one", async () => {
    const { user, client, token } = await openBrowser({ role: "USER" });
    const elsewhere = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    const wrong = await change(client, "wrong");
    expect(wrong.status).toBe(400);
    expect(wrong.json.issues).toMatchObject([{ path: "currentPassword" }]);
    expect(await userOf(elsewhere.token)).toBe(user.id);

    expect((await change(client, testPassword)).status).toBe(204);
    expect(await userOf(token)).toBeNull();
    expect(await userOf(elsewhere.token)).toBeNull();
    expect(await userOf(client.jar.get("session") ?? "")).toBe(user.id);
  });

  it("works once if two sessions change it at the same time", async () => {
    const { user, client } = await openBrowser();
    const elsewhere = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    const other = createClient(app.url, `session=${elsewhere.token}`);
    const changes = await Promise.all([change(client, testPassword), change(other, testPassword)]);
    const [won, lost] = changes.map(({ status }) => status).toSorted();
    expect(won).toBe(204);
    // The lost call arrived either before or after the password had changed.
    expect([400, 401]).toContain(lost);
    expect(await app.context.auth.sessions.listOf(user.id, null)).toHaveLength(1);
  });

  it("is limited after five wrong passwords, and accepted only from signed-in users", async () => {
    const { client } = await openBrowser();
    for (let n = 0; n < 5; n += 1) expect((await change(client, "wrong")).status).toBe(400);
    expect((await change(client, testPassword)).status).toBe(429);
    expect((await change(createClient(app.url), testPassword)).status).toBe(401);
  });
});

describe("the audit log", () => {
  const entriesOf = async (email: string) => {
    const rows = await app.db
      .selectFrom("audit_log")
      .selectAll()
      .where("user_email", "=", email)
      .orderBy("at")
      .orderBy("id")
      .execute();
    return rows.map(({ action, entity_id: id }) => [action, id]);
  };

  it("records sign-ins, failures, sign-outs and password changes", async () => {
    const { user, client } = await openBrowser();
    await client.call("POST", "/api/auth/signin", { email: user.email, password: "wrong" });
    await client.call("POST", "/api/auth/password", {
      currentPassword: testPassword,
      newPassword: "another password",
    });
    await client.call("POST", "/api/auth/signout");
    expect(await entriesOf(user.email)).toEqual(
      ["signed-in", "sign-in-failed", "password-changed", "signed-in", "signed-out"].map((name) => [
        `account.${name}`,
        user.id,
      ]),
    );
  });

  it("records commands run on the command line", async () => {
    const { accounts } = app.context.auth;
    const actor = { user: { id: null, email: "this command line" }, requestId: "test" };
    const input = { email: "cli@example.com", password: "a password", name: "" };
    const created = await accounts.create({ ...input, role: "USER" }, actor);
    await accounts.list(actor);
    await accounts.resetPassword(created.email, "another password", actor);
    await accounts.remove(created.email, actor);
    expect(await entriesOf(actor.user.email)).toEqual([
      ["account.created", created.id],
      ["account.listed", null],
      ["account.password-reset", created.id],
      ["account.removed", created.id],
    ]);
  });

  it("stores none of the input for an unknown account", async () => {
    const typed = { email: "typed@example.com", password: "typed password" };
    await createClient(app.url).call("POST", "/api/auth/signin", typed);
    expect(await entriesOf("unknown account")).toEqual([["account.sign-in-failed", null]]);
    const rows = await app.db.selectFrom("audit_log").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("typed");
  });
});
