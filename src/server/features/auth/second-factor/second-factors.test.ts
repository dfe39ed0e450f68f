import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { confirmSession, createClient, useTestApp } from "#test/app.ts";
import { createAuthService } from "../auth.service.ts";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { forged } from "#test/harness/forged.ts";

let now = Date.now();

const app = useTestApp({
  clock: { now: () => now, date: () => new Date(now) },
  env: { TRUST_PROXY: "127.0.0.1" },
});
beforeEach(async () => {
  now += 3600_000;
  await app.db.deleteFrom("sign_in_failures").execute();
});

type Client = ReturnType<typeof createClient>;
const codeOf = (secret: string, atMs = now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
const signIn = (client: Client, email: string, headers = {}) =>
  client.call("POST", "/api/auth/signin", { email, password: testPassword }, headers);
const give = (client: Client, code: string, headers = {}) =>
  client.call("POST", "/api/auth/second-factor", { code }, headers);

/** Creates a signed-in user with an authenticator app. */
async function withApp(role: "ADMIN" | "EDITOR" = "EDITOR") {
  const { id, email } = await makeUser(app.db, { role });
  const client = createClient(app.url);
  await signIn(client, email);
  const { json } = await client.call("POST", "/api/account/totp");
  const secret: string = json.secret;
  const on = await client.call("POST", "/api/account/totp/confirm", { code: codeOf(secret) });
  const recoveryCodes: string[] = on.json.recoveryCodes;
  return { id, email, client, secret, recoveryCodes };
}

describe("an authenticator app", () => {
  it("is required after the right password, and each of its codes works once", async () => {
    const { email, secret, recoveryCodes } = await withApp();
    expect(recoveryCodes).toHaveLength(10);
    now += 60_000;
    const browser = createClient(app.url);
    const first = await signIn(browser, email);
    expect([first.status, first.json.code]).toEqual([401, "second_factor_needed"]);
    expect((await browser.call("GET", "/api/auth/session")).json.user).toBeNull();
    expect((await give(browser, "000000")).status).toBe(400);
    const code = codeOf(secret);
    expect((await give(browser, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect((await browser.call("GET", "/api/auth/session")).json.user.email).toBe(email);
    const other = createClient(app.url);
    await signIn(other, email);
    expect((await give(other, code)).status).toBe(400);
    now += 30_000;
    const inArabicDigits = Array.from(codeOf(secret), (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)]);
    expect((await give(other, inArabicDigits.join(""))).status).toBe(200);
  });

  it("reveals nothing after a wrong password and counts only once a code has been entered", async () => {
    const { email } = await withApp();
    const wrong = await createClient(app.url).call("POST", "/api/auth/signin", {
      email,
      password: "wrong",
    });
    expect(wrong.json).toMatchObject({ code: "invalid_credentials" });
    const { email: begun } = await makeUser(app.db);
    const client = createClient(app.url);
    await signIn(client, begun);
    await client.call("POST", "/api/account/totp");
    const bad = await client.call("POST", "/api/account/totp/confirm", { code: "123456" });
    expect(bad.json.issues).toMatchObject([{ path: "code" }]);
    expect((await signIn(createClient(app.url), begun)).status).toBe(200);
  });

  it("accepts each recovery code once instead of the app", async () => {
    const { email, recoveryCodes } = await withApp();
    const [code = ""] = recoveryCodes;
    const browser = createClient(app.url);
    await signIn(browser, email);
    expect((await give(browser, code.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    expect((await browser.call("GET", "/api/account")).json.recoveryCodesLeft).toBe(9);
    await signIn(browser, email);
    expect((await give(browser, code)).status).toBe(400);
    const stored = await app.db.selectFrom("recovery_codes").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(code);
  });

  it("seals secrets in the database, including those of earlier versions", async () => {
    const { db } = app;
    const { id, email, secret } = await withApp();
    const plain = Buffer.from(Secret.fromBase32(secret).bytes);
    const read = () =>
      db
        .selectFrom("user_totp")
        .select(["secret", "sealed"])
        .where("user_id", "=", id)
        .executeTakeFirstOrThrow();
    const isSealed = ({ secret: open, sealed }: Awaited<ReturnType<typeof read>>) =>
      open === null && sealed !== null && !sealed.includes(plain);
    expect(isSealed(await read())).toBe(true);
    await db
      .updateTable("user_totp")
      .set({ secret: plain, sealed: null })
      .where("user_id", "=", id)
      .execute();
    expect(await app.context.auth.factors.sealAll()).toBe(0);
    expect(isSealed(await read())).toBe(true);

    const signInAt = async (env: Partial<Record<"secretsKey" | "formerSecretsKey", string>>) => {
      const { clock, secret: siteSecret } = app.context;
      const config = { ...app.context.config, ...env };
      const { factors } = createAuthService({ db, clock, secret: siteSecret, config });
      const lost = await factors.sealAll();
      now += 60_000;
      const code = codeOf(secret);
      return [lost > 0, await db.transaction().execute((trx) => factors.take(trx, id, code))];
    };
    const [first, second] = ["a".repeat(32), "b".repeat(32)];
    expect(await signInAt({ secretsKey: first })).toEqual([false, "app"]);
    expect(await signInAt({})).toEqual([true, null]);
    expect(await signInAt({ secretsKey: second })).toEqual([true, null]);
    expect(await signInAt({ secretsKey: second, formerSecretsKey: first })).toEqual([
      ...[false, "app"],
    ]);
    expect(await signInAt({ secretsKey: second })).toEqual([false, "app"]);
    // Restores the state that the other tests in this file need.
    await db.deleteFrom("user_totp").execute();
    expect((await signIn(createClient(app.url), email)).status).toBe(200);
  });

  it("works as a form without scripts", async () => {
    const { email, secret } = await withApp();
    now += 60_000;
    const post = (path: string, fields: Record<string, string>, cookie = "") =>
      fetch(app.url + path, {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams({ ...fields, next: "/admin/videos" }),
      });
    const first = await post("/api/auth/signin", { email, password: testPassword });
    const step = "/auth/signin?step=code&next=%2Fadmin%2Fvideos";
    expect(first.headers.get("location")).toBe(step);
    const cookie = first.headers.getSetCookie()[0]?.split(";")[0];
    const wrong = await post("/api/auth/second-factor", { code: "000000" }, cookie);
    expect(wrong.headers.get("location")).toContain("error=invalid");
    const right = await post("/api/auth/second-factor", { code: codeOf(secret) }, cookie);
    expect(right.headers.get("location")).toBe("/admin/videos");
  });
});

describe("the first step", () => {
  it("expires, and is refused after a password change, if forged and for another account", async () => {
    const { email, secret, client } = await withApp();
    const other = await withApp();
    now += 60_000;
    const browser = createClient(app.url);
    await signIn(browser, email);
    const pending = browser.jar.get("pending") ?? "";
    const giveWith = (value: string) =>
      give(createClient(app.url, `pending=${value}`), codeOf(secret));
    expect((await giveWith(forged(pending))).status).toBe(401);
    expect((await giveWith(other.id + pending.slice(other.id.length))).status).toBe(401);
    expect((await giveWith("")).status).toBe(401);
    await client.call("POST", "/api/auth/password", {
      currentPassword: testPassword,
      newPassword: "quite another one",
    });
    expect((await giveWith(pending)).status).toBe(401);
    await signIn(browser, other.email);
    now += 11 * 60_000;
    expect((await give(browser, codeOf(other.secret))).status).toBe(401);
  });

  it("limits codes per browser and address, then in total", async () => {
    const { email, secret } = await withApp();
    now += 60_000;
    const from = (n: number) => ({ "x-forwarded-for": `10.1.0.${n}` });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const guesser = createClient(app.url);
      await signIn(guesser, email, from(n));
      for (let guess = 0; guess < 6; guess += 1) {
        statuses.push((await give(guesser, "000000", from(n))).status);
      }
    }
    expect(statuses).toEqual([
      ...[400, 400, 400, 400, 400, 429],
      ...[400, 400, 400, 400, 400, 429],
      ...[429, 429, 429, 429, 429, 429],
    ]);
    const attacker = createClient(app.url);
    await signIn(attacker, email, from(9));
    expect((await give(attacker, codeOf(secret), from(9))).status).toBe(429);
  });

  it("counts before checking, so that parallel guesses gain nothing", async () => {
    const { email } = await withApp();
    const guesser = createClient(app.url);
    await signIn(guesser, email);
    const results = await Promise.all(Array.from({ length: 12 }, () => give(guesser, "000000")));
    expect(results.filter(({ status }) => status === 400)).toHaveLength(5);
  });
});

describe("a required second factor", () => {
  const rule = (client: Client, isSecondFactorRequired: boolean) =>
    client.call("PUT", "/api/admin/people/rules", { isSecondFactorRequired });

  it("limits users without one to their own account, and can be enabled only by users who have one", async () => {
    const without = createClient(app.url);
    const { email } = await makeUser(app.db);
    await signIn(without, email);
    expect((await rule(without, true)).status).toBe(409);
    const { client } = await withApp("ADMIN");
    try {
      expect((await rule(client, true)).status).toBe(200);
      const refused = await without.call("GET", "/api/admin/videos");
      expect([refused.status, refused.json.code]).toEqual([403, "second_factor_missing"]);
      expect((await client.call("GET", "/api/admin/videos")).status).toBe(200);
      const { json } = await without.call("POST", "/api/account/totp");
      await without.call("POST", "/api/account/totp/confirm", { code: codeOf(json.secret) });
      expect((await without.call("GET", "/api/admin/videos")).status).toBe(200);
    } finally {
      await rule(client, false);
    }
  });
});

describe("a user's own account", () => {
  it("changes its address after confirmation and refuses an address that is taken", async () => {
    const { email } = await makeUser(app.db);
    const taken = await makeUser(app.db);
    const client = createClient(app.url);
    await signIn(client, email);
    const change = (to: string) => client.call("POST", "/api/account/email", { email: to });
    now += 3600_000;
    expect((await change("new@example.com")).json.code).toBe("confirmation_required");
    await confirmSession(client);
    expect((await change(taken.email.toUpperCase())).status).toBe(409);
    expect((await change("new@example.com")).status).toBe(204);
    expect((await signIn(createClient(app.url), "new@example.com")).status).toBe(200);
  });

  it("refuses common passwords and its own address", async () => {
    const { email } = await makeUser(app.db);
    const client = createClient(app.url);
    await signIn(client, email);
    for (const newPassword of ["password1", "Qwerty123456", email]) {
      const body = { currentPassword: testPassword, newPassword };
      const { status, json } = await client.call("POST", "/api/auth/password", body);
      expect({ newPassword, status, path: json.issues?.[0]?.path }).toEqual({
        newPassword,
        status: 400,
        path: "newPassword",
      });
    }
  });

  it("shows its sessions, and signs out everywhere", async () => {
    const { email } = await makeUser(app.db);
    const [here, there] = [createClient(app.url), createClient(app.url)];
    await signIn(here, email);
    await signIn(there, email);
    const { json } = await here.call("GET", "/api/account/sessions");
    expect(json.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).toSorted()).toEqual([
      false,
      true,
    ]);
    expect((await here.call("DELETE", "/api/account/sessions")).status).toBe(204);
    for (const client of [here, there]) {
      expect((await client.call("GET", "/api/auth/session")).json.user).toBeNull();
    }
  });
});
