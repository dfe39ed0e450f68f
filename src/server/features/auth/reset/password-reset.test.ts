import { sql } from "kysely";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";

let now = Date.now();
const sent: { to: string; text: string }[] = [];
const minuteMs = 60_000;

const app = useTestApp({
  clock: { now: () => now, date: () => new Date(now) },
  env: {
    TRUST_PROXY: "127.0.0.1",
    SITE_URL: "https://video.example",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "kinora@example.com",
  },
});
beforeAll(async () => {
  app.context.mailer.send = async ({ to, text }) => void sent.push({ to, text });
});
beforeEach(() => {
  now += 24 * 60 * minuteMs;
  sent.length = 0;
});

let addresses = 0;
const ask = (email: string, from = `10.7.${(addresses += 1) % 250}.1`, headers = {}) =>
  createClient(app.url).call(
    "POST",
    "/api/auth/forgot",
    { email },
    { "x-forwarded-for": from, ...headers },
  );
/** Runs the job that a request queues. */
async function send(userId: string): Promise<void> {
  await app.runJob("account.send-reset", { userId, askedAtMs: now });
}
const links = () =>
  sent.map(({ text }) => /https?:\/\/\S+\/auth\/reset\?token=\S+/.exec(text)?.[0] ?? "");
const tokenIn = (link: string | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";
const use = (token: string, password = "quite another one") =>
  createClient(app.url).call("POST", "/api/auth/reset", { token, password });

it("mails a link with SITE_URL and ignores the settings and the Host header", async () => {
  const { id, email } = await makeUser(app.db);
  await app.db.updateTable("settings").set({ site_url: "https://evil.example" }).execute();
  expect((await ask(email, "10.8.0.1", { "x-forwarded-host": "evil.example" })).status).toBe(202);
  await send(id);
  expect(links()).toEqual([
    expect.stringMatching(/^https:\/\/video\.example\/auth\/reset\?.*[AQgw]$/),
  ]);
});

it("mails an owner a link at most once in two minutes, even if many strangers request one", async () => {
  const { id, email } = await makeUser(app.db);
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await ask(email)).status);
  expect(new Set(statuses)).toEqual(new Set([202]));
  for (let n = 0; n < 3; n += 1) await send(id);
  expect(sent).toHaveLength(1);
  now += 2 * minuteMs + 1;
  await send(id);
  // The link is unchanged, so the first mail still works.
  expect(sent).toHaveLength(2);
  expect(links()[1]).toBe(links()[0]);
  expect((await use(tokenIn(links()[0]))).status).toBe(204);
  expect((await use(tokenIn(links()[1]))).status).toBe(403);
});

it("replaces a link that is about to expire, so that an account has one valid link", async () => {
  const { id } = await makeUser(app.db);
  await send(id);
  now += 50 * minuteMs;
  await send(id);
  const [first, second] = links().map(tokenIn);
  expect(second).not.toBe(first);
  expect((await use(first ?? "")).status).toBe(403);
  expect((await use(second ?? "")).status).toBe(204);
});

it("leaves the link valid if changing the password fails", async () => {
  const { id } = await makeUser(app.db);
  await send(id);
  const token = tokenIn(links()[0]);
  await sql`alter table sign_in_failures rename to hidden`.execute(app.db);
  const failed = await use(token);
  await sql`alter table hidden rename to sign_in_failures`.execute(app.db);
  expect(failed.status).toBe(500);
  expect((await use(token)).status).toBe(204);
});

it("limits a requester and gives the same response for known and unknown accounts", async () => {
  const { email } = await makeUser(app.db);
  const from = "10.9.0.1";
  for (let n = 0; n < 10; n += 1) {
    const [known, unknown] = [await ask(email), await ask(`nobody-${n}@example.test`, from)];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  }
  expect((await ask(email, from)).status).toBe(429);
  expect((await ask(email)).status).toBe(202);
});

it("limits an address group", async () => {
  const email = "nobody@example.test";
  for (let n = 0; n < 50; n += 1) {
    expect((await ask(email, `2001:db8:7:${n}::1`)).status).toBe(202);
  }
  expect((await ask(email, "2001:db8:7:ff::1")).status).toBe(429);
  expect((await ask(email, "2001:db8:8::1")).status).toBe(202);
});

it("sends nothing to a disabled account, with the same response", async () => {
  const { id, email } = await makeUser(app.db);
  const values = { disabled_at: new Date() };
  await app.db.updateTable("users").set(values).where("id", "=", id).execute();
  expect((await ask(email)).status).toBe(202);
  await send(id);
  expect(sent).toEqual([]);
});

it.each([
  ["sends the mail again after the mail server refuses it for now", { responseCode: 450 }, 1],
  ["sends no second mail if the first may be delivered", { code: "ECONNECTION" }, 0],
])("%s", async (_name, reason, again) => {
  const { id } = await makeUser(app.db);
  const { mailer, queue } = app.context;
  const enqueue = vi.spyOn(queue, "enqueue");
  const { send: deliver } = mailer;
  mailer.send = () => Promise.reject(Object.assign(new Error("away"), reason));
  await send(id);
  mailer.send = deliver;
  expect(enqueue).toHaveBeenCalledTimes(again);
  enqueue.mockRestore();
  await send(id);
  expect(sent).toHaveLength(again);
});

it("ends the API tokens of the account", async () => {
  const { id, email } = await makeUser(app.db);
  const { token: session } = await app.context.auth.signIn(email, testPassword, testOrigin);
  const body = { name: "program", scopes: ["content.read"] };
  const client = createClient(app.url, `session=${session}`);
  const { token } = (await client.call("POST", "/api/account/tokens", body)).json;
  const see = async () =>
    (
      await createClient(app.url).call("GET", "/api/admin/videos", undefined, {
        authorization: `Bearer ${token}`,
      })
    ).status;
  expect(await see()).toBe(200);
  await send(id);
  expect((await use(tokenIn(links()[0]))).status).toBe(204);
  expect(await see()).toBe(401);
});

it("invalidates the link when the email address changes", async () => {
  const { id, email } = await makeUser(app.db);
  const { token } = await app.context.auth.signIn(email, testPassword, testOrigin);
  await send(id);
  const client = createClient(app.url, `session=${token}`);
  const changed = await client.call("POST", "/api/account/email", { email: `new-${email}` });
  expect(changed.status).toBe(204);
  expect((await use(tokenIn(links()[0]))).status).toBe(403);
});
