import { beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { forged } from "#test/harness/forged.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createAuthService } from "./auth.service.ts";
import * as repository from "./auth.repository.ts";
import * as passwords from "./passwords.ts";
import type { SignInOrigin } from "./sessions.service.ts";
import { accountDelayAfter, waitAfter } from "./sign-in-limiter.ts";

vi.mock("./passwords.ts", { spy: true });
vi.mock("./auth.repository.ts", { spy: true });

let now = 0;
const clock = { now: () => now, date: () => new Date(now) };
const commandLine = { user: { id: null, email: "command line" }, requestId: "test" };

const app = useTestApp({ clock });
beforeEach(async () => {
  // Starts later than the previous test, because a refused address is remembered for a second.
  now = Math.max(Date.now(), now + 2000);
  await app.db.deleteFrom("sign_in_failures").execute();
});

const signIn = (email: string, password: string, client = createClient(app.url)) =>
  client.call("POST", "/api/auth/signin", { email, password });

/** Makes failed attempts without a browser, one per address. */
const failFrom = async (email: string, addresses: string[]) => {
  for (const addressKey of addresses) {
    const attempt = app.context.auth.signIn(email, "wrong", { ...testOrigin, addressKey });
    await expect(attempt).rejects.toMatchObject({ code: "invalid_credentials" });
  }
};

describe("one address and one account", () => {
  it("waits after five failures, longer each time, until a success", async () => {
    const user = await makeUser(app.db);
    for (let n = 0; n < 5; n += 1) expect((await signIn(user.email, "wrong")).status).toBe(401);
    const blocked = await signIn(user.email, testPassword);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    now += 16_000;
    expect((await signIn(user.email, "wrong")).status).toBe(401);
    now += 16_000;
    expect((await signIn(user.email, testPassword)).status).toBe(429);
    now += 16_000;
    expect((await signIn(user.email, testPassword)).status).toBe(200);
    expect((await signIn(user.email, "wrong")).status).toBe(401);
    expect([4, 5, 6, 20].map((failures) => waitAfter(failures))).toEqual([0, 15, 30, 3600]);
  });

  it("accepts an attempt with an earlier time than a simultaneous one", async () => {
    const users = [await makeUser(app.db), await makeUser(app.db)];
    for (const { email } of users) {
      expect((await signIn(email, testPassword)).status).toBe(200);
      now -= 1;
    }
    // The address has a counter, but its attempt was taken back.
    expect((await signIn(users[0]?.email ?? "", "wrong")).status).toBe(401);
  });

  it("checks only five of forty parallel wrong passwords", async () => {
    const user = await makeUser(app.db);
    const evaluated = vi.mocked(passwords.isPasswordCorrect).mockClear();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => signIn(user.email, "wrong")),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
    expect(evaluated).toHaveBeenCalledTimes(5);
  });

  it("does not count an attempt whose password was not checked", async () => {
    const user = await makeUser(app.db);
    const busy = new AppError("unavailable", "busy");
    for (let n = 0; n < 6; n += 1) {
      vi.mocked(passwords.isPasswordCorrect).mockRejectedValueOnce(busy);
      const attempt = app.context.auth.signIn(user.email, testPassword, testOrigin);
      await expect(attempt).rejects.toBe(busy);
    }
    const { user: signedIn } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    expect(signedIn.id).toBe(user.id);
  });
});

describe("many accounts from one address", () => {
  it("refuses an address after twenty failures, for existing and unknown accounts", async () => {
    for (let n = 0; n < 20; n += 1) await failFrom(`unknown-${n}@example.com`, ["one"]);
    const user = await makeUser(app.db);
    const { auth } = app.context;
    const from = (addressKey: string) =>
      auth.signIn(user.email, testPassword, { ...testOrigin, addressKey });
    await expect(from("one")).rejects.toMatchObject({ code: "rate_limited" });
    await expect(from("two")).resolves.toMatchObject({ user: { id: user.id } });
  });
});

describe("many addresses of one group", () => {
  it("refuses the group after a hundred failures, except browsers that signed in before", async () => {
    const user = await makeUser(app.db);
    const signInFrom = (addressKey: string, changed: Partial<SignInOrigin> = {}) =>
      app.context.auth.signIn(user.email, testPassword, { ...testOrigin, addressKey, ...changed });
    await failFrom("unknown@example.com", ["one"]);
    await app.db
      .updateTable("sign_in_failures")
      .set({ failures: 99 })
      .where("account_key", "is", null)
      .execute();
    await failFrom("other@example.com", ["two"]);
    await expect(signInFrom("three")).rejects.toMatchObject({ code: "rate_limited" });
    await signInFrom("four", { addressGroup: "another" });
    await signInFrom("three", { device: { userId: user.id, key: "known" } });
  });

  it("refuses from memory an address whose group is blocked", async () => {
    const asked = vi.mocked(repository.findUserByEmail);
    await failFrom("unknown@example.com", ["one"]);
    await app.db.updateTable("sign_in_failures").set({ failures: 99 }).execute();
    await failFrom("other@example.com", ["two"]);
    asked.mockClear();
    for (let n = 0; n < 10; n += 1) {
      const attempt = app.context.auth.signIn(`more-${n}@example.com`, "wrong", {
        ...testOrigin,
        addressKey: "three",
      });
      await expect(attempt).rejects.toMatchObject({ code: "rate_limited" });
    }
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe("a flood from one address", () => {
  it("is refused from memory once the address is blocked, and checked again after a second", async () => {
    const asked = vi.mocked(repository.findUserByEmail);
    for (let n = 0; n < 20; n += 1) await failFrom(`flood-${n}@example.com`, ["flood"]);
    const attempt = (n: number) =>
      app.context.auth.signIn(`more-${n}@example.com`, "wrong", {
        ...testOrigin,
        addressKey: "flood",
      });
    asked.mockClear();
    for (let n = 0; n < 50; n += 1) {
      await expect(attempt(n)).rejects.toMatchObject({ code: "rate_limited" });
    }
    expect(asked).toHaveBeenCalledTimes(1);
    now += 1001;
    await expect(attempt(50)).rejects.toMatchObject({ code: "rate_limited" });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("ignores X-Forwarded-For without TRUST_PROXY", async () => {
    const evaluated = vi.mocked(passwords.isPasswordCorrect).mockClear();
    for (let n = 0; n < 30; n += 1) {
      const body = { email: `invented-${n}@example.com`, password: "wrong" };
      const headers = { "x-forwarded-for": `198.51.100.${n}` };
      await createClient(app.url).call("POST", "/api/auth/signin", body, headers);
    }
    expect(evaluated).toHaveBeenCalledTimes(20);
  });

  it("admits a browser that has signed in before", async () => {
    const user = await makeUser(app.db);
    const browser = createClient(app.url);
    await signIn(user.email, testPassword, browser);
    await browser.call("POST", "/api/auth/signout");
    const flood = Array.from({ length: 60 }, (_, n) => signIn(`flood-${n}@example.com`, "wrong"));
    const own = await signIn(user.email, testPassword, browser);
    const refused = (await Promise.all(flood)).filter(({ status }) => [429, 503].includes(status));
    expect(own.status).toBe(200);
    expect(refused.length).toBeGreaterThanOrEqual(40);
  });
});

describe("one account from many addresses", () => {
  const elsewhere = Array.from({ length: 14 }, (_, n) => `address ${n}`);

  it("is slowed down but never refused", async () => {
    const user = await makeUser(app.db);
    const delays: number[] = [];
    const sleep = async (ms: number) => void delays.push(ms);
    const auth = createAuthService({ ...app.context, sleep });
    for (const addressKey of elsewhere) {
      const attempt = auth.signIn(user.email, "wrong", { ...testOrigin, addressKey });
      await expect(attempt).rejects.toMatchObject({ code: "invalid_credentials" });
    }
    expect(delays).toEqual([250, 500, 1000, 2000]);
    await auth.signIn(user.email, testPassword, { ...testOrigin, addressKey: "the owner's" });
    expect(delays.at(-1)).toBe(4000);
    expect(accountDelayAfter(1000)).toBe(4000);
  });

  it("admits a browser that has signed in before, and refuses a forged device", async () => {
    const user = await makeUser(app.db);
    const other = await makeUser(app.db);
    const browser = createClient(app.url);
    expect((await signIn(user.email, testPassword, browser)).status).toBe(200);
    await browser.call("POST", "/api/auth/signout");
    for (let n = 0; n < 5; n += 1) await signIn(user.email, "wrong");
    expect((await signIn(user.email, testPassword)).status).toBe(429);

    const device = browser.jar.get("device") ?? "";
    expect(device).toMatch(/^[\w-]{36}\.[\w-]{22}\.[\w-]{22}$/);
    const foreign = device.replace(user.id, other.id);
    for (const value of [forged(device), foreign, `${user.id}..`]) {
      const client = createClient(app.url, `device=${value}`);
      expect((await signIn(user.email, testPassword, client)).status).toBe(429);
    }
    expect((await signIn(user.email, testPassword, browser)).status).toBe(200);
    // The device has its own limit.
    for (let n = 0; n < 5; n += 1) {
      expect((await signIn(user.email, "wrong", browser)).status).toBe(401);
    }
    expect((await signIn(user.email, testPassword, browser)).status).toBe(429);
  });

  it("loses every counter when its password is reset on the command line", async () => {
    const user = await makeUser(app.db);
    const untouched = await makeUser(app.db);
    const browser = createClient(app.url);
    await signIn(user.email, testPassword, browser);
    for (let n = 0; n < 5; n += 1) await signIn(user.email, "wrong", browser);
    for (let n = 0; n < 5; n += 1) await failFrom(user.email, ["one"]);
    await failFrom(untouched.email, ["one"]);
    await app.context.auth.accounts.resetPassword(user.email, "another password", commandLine);
    const counters = await app.db
      .selectFrom("sign_in_failures")
      .select(["account_key", "failures"])
      .execute();
    // The other account's counter and the counters of the two addresses remain.
    expect(counters.filter(({ account_key: key }) => key !== null)).toHaveLength(2);
    expect((await signIn(user.email, "another password", browser)).status).toBe(200);
  });
});

it("deletes counters that have not been used for a day", async () => {
  await failFrom("unknown@example.com", ["one"]);
  now += 25 * 3600 * 1000;
  await app.runJob("account.delete-expired");
  const left = await app.db.selectFrom("sign_in_failures").selectAll().execute();
  expect(left).toEqual([]);
});
