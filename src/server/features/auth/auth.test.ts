import { beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, startTestApp, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import * as passwords from "./passwords.ts";

vi.mock("./passwords.ts", { spy: true });

let now = Date.parse("2026-03-01T12:00:00Z");

const app = useTestApp({ clock: { now: () => now, date: () => new Date(now) } });
beforeEach(async () => {
  now = Date.now();
  await app.db.deleteFrom("sign_in_failures").execute();
});

const signIn = (email: string, password: string) =>
  createClient(app.url).call("POST", "/api/auth/signin", { email, password });

describe("sign-in", () => {
  it("returns the user and sets an HttpOnly, SameSite=Lax cookie", async () => {
    const user = await makeUser(app.db, { email: "Anna@example.com" });
    const response = await signIn("anna@EXAMPLE.com", testPassword);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      id: user.id,
      email: user.email,
      name: user.name,
      role: "ADMIN",
    });
    const cookie = response.headers.getSetCookie()[0] ?? "";
    expect(cookie).toMatch(/^session=[\w-]{60}; /);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Lax");
  });

  it("restricts the cookie to its host on https", async () => {
    const served = await startTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
    try {
      const user = await makeUser(served.database.db);
      const body = { email: user.email, password: testPassword };
      const https = { "x-forwarded-proto": "https" };
      const client = createClient(served.url);
      const response = await client.call("POST", "/api/auth/signin", body, https);
      const [cookie = ""] = response.headers.getSetCookie();
      expect(cookie).toMatch(/^__Host-session=[\w-]{60}; Path=\/; .*; Secure$/);
      const session = (header: string) =>
        createClient(served.url, header).call("GET", "/api/auth/session", undefined, https);
      const token = client.jar.get("__Host-session") ?? "";
      expect((await session(`__Host-session=${token}`)).json.user.id).toBe(user.id);
      expect((await session(`session=${token}`)).json.user).toBeNull();
    } finally {
      await served.stop();
    }
  });

  it("stores only hashes of tokens and passwords", async () => {
    const user = await makeUser(app.db);
    const client = createClient(app.url);
    await client.call("POST", "/api/auth/signin", { email: user.email, password: testPassword });
    const token = client.jar.get("session") ?? "";
    const rows = await app.db.selectFrom("sessions").selectAll().execute();
    expect(rows.some((row) => row.token_hash.toString("base64url") === token)).toBe(false);
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
  });

  it("gives the same response to a wrong password and an unknown account", async () => {
    const user = await makeUser(app.db);
    const wrong = await signIn(user.email, "not the password");
    const unknown = await signIn("unknown@example.com", "not the password");
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect({ ...wrong.json, requestId: "" }).toEqual({ ...unknown.json, requestId: "" });
    expect(wrong.json.message).toBe("Invalid credentials");
  });

  it("works as a plain form post and redirects only within the site", async () => {
    const user = await makeUser(app.db);
    const post = (password: string, next: string) =>
      fetch(`${app.url}/api/auth/signin`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ email: user.email, password, next }),
      });
    const good = await post(testPassword, "/admin/videos");
    expect(good.status).toBe(303);
    expect(good.headers.get("location")).toBe("/admin/videos");
    const foreign = await post(testPassword, "/é漢");
    expect([foreign.status, foreign.headers.get("location")]).toEqual([303, "/%C3%A9%E6%BC%A2"]);
    const bad = await post("wrong", "/admin/videos");
    expect(bad.headers.get("location")).toBe(
      "/auth/signin?error=invalid_credentials&next=%2Fadmin%2Fvideos",
    );
    const elsewhere = await post(testPassword, "//evil.example");
    expect(elsewhere.headers.get("location")).toBe("/admin");
  });
});

describe("first admin", () => {
  it("is created with a link that works once and only while there is no admin", async () => {
    const emptyApp = await startTestApp();
    try {
      const token = await emptyApp.context.auth.issueSetupToken();
      const body = { token, email: "first@example.com", password: "a good password" };
      const client = createClient(emptyApp.url);
      const bad = await client.call("POST", "/api/auth/setup", { ...body, token: "guess" });
      expect(bad.status).toBe(403);
      const short = await client.call("POST", "/api/auth/setup", { ...body, password: "short" });
      expect(short.status).toBe(400);
      const [one, two] = await Promise.all([
        client.call("POST", "/api/auth/setup", body),
        client.call("POST", "/api/auth/setup", { ...body, email: "second@example.com" }),
      ]);
      const [won, lost] = [one.status, two.status].toSorted();
      expect(won).toBe(201);
      // The call that lost arrived either before or after the account existed.
      expect([403, 404]).toContain(lost);
      const late = await client.call("POST", "/api/auth/setup", body);
      expect(late.status).toBe(404);
      expect(late.json.code).toBe("not_found");
      expect(await emptyApp.context.auth.issueSetupToken()).toBeNull();
      expect((await client.call("GET", "/api/auth/session")).json.user.role).toBe("ADMIN");
    } finally {
      await emptyApp.stop();
    }
  });

  it("hashes no password if the token is wrong or an admin exists", async () => {
    const emptyApp = await startTestApp();
    const hashed = vi.mocked(passwords.hashPassword).mockClear();
    try {
      const token = (await emptyApp.context.auth.issueSetupToken()) ?? "";
      const body = { email: "first@example.com", password: "a good password", name: "" };
      const setUp = (given: string) =>
        emptyApp.context.auth.setUp({ ...body, token: given }, { ...testOrigin, siteOrigin: null });
      await expect(setUp("guess")).rejects.toMatchObject({ code: "forbidden" });
      expect(hashed).toHaveBeenCalledTimes(0);
      await setUp(token);
      expect(hashed).toHaveBeenCalledTimes(1);
      await expect(setUp(token)).rejects.toMatchObject({ code: "not_found" });
      expect(hashed).toHaveBeenCalledTimes(1);
    } finally {
      await emptyApp.stop();
    }
  });

  it("is created from the environment only while the site has no owner", async () => {
    const emptyApp = await startTestApp();
    try {
      const { accounts } = emptyApp.context.auth;
      const body = { email: "env@example.com", password: "first password" };
      const ensure = () => accounts.ensureAdmin(body.email, body.password);
      const results = await Promise.all([ensure(), ensure()]);
      expect(results.toSorted()).toEqual(["created", "exists"]);
      expect(await accounts.ensureAdmin("ENV@example.com", "other password")).toBe("exists");
      const signedIn = await createClient(emptyApp.url).call("POST", "/api/auth/signin", body);
      expect(signedIn.status).toBe(200);
      await emptyApp.db.updateTable("users").set({ email: "renamed@example.com" }).execute();
      expect(await ensure()).toBe("exists");
      const users = await emptyApp.db.selectFrom("users").select("email").execute();
      expect(users).toEqual([{ email: "renamed@example.com" }]);
    } finally {
      await emptyApp.stop();
    }
  });
});
