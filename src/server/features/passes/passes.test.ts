import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, createClient, useClient, useTestApp, type TestClient } from "#test/app.ts";
import { passLimits } from "#contract/visitors/passes.ts";
import type { Config } from "#server/config.ts";
import { UnconfirmedMail } from "#server/lib/mailer.ts";
import { createPassesFeature } from "./passes.feature.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import { makeVideo } from "#test/factories/make-video.ts";

let now = Date.now();
const dayMs = 86_400_000;
const app = useTestApp({
  pages: true,
  env: {
    SITE_URL: "https://videos.example",
    TRUST_PROXY: "127.0.0.1",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "kinora@example.com",
  },
  clock: { now: () => now, date: () => new Date(now) },
});
const admin = useClient(app);

let address = 0;
/** Sends forms from a new address, because tries are limited by address. */
function visitor(userAgent = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0") {
  address += 1;
  const headers = { "user-agent": userAgent, "x-forwarded-for": `10.1.${address}.1` };
  const client = createClient(app.url);
  return {
    client,
    post: (body: object) => client.call("POST", "/pass", body, headers),
    get: (path: string) => client.call("GET", path, undefined, headers),
    /** Uses a pass at one of several processes. @returns the status. */
    async useAt(url: string, code: string, replaced?: string): Promise<number> {
      const sent = { code, do: "use", replaced };
      return (await createClient(url).call("POST", "/pass", sent, headers)).status;
    },
  };
}

async function create(body: object = {}) {
  const { status, json } = await admin.call("POST", "/api/admin/passes", { days: 30, ...body });
  expect(status).toBe(201);
  return json;
}
const isMember = async ({ get }: ReturnType<typeof visitor>, id: string) =>
  (await get(`/api/members/videos/${id}`)).status === 200;

let videoId = "";
beforeAll(async () => {
  await admin.call("POST", "/api/settings", { premiumAccess: "members" });
  videoId = (await makeVideo(app.db, { is_premium: true, progressive_key: "v/x/play.mp4" })).id;
});

describe("passes in the back office", () => {
  it("creates, lists, extends and revokes a pass", async () => {
    const pass = await create({ note: "Ada 100%", email: "ada@example.org", devices: 2 });
    expect(pass.link).toBe(`https://videos.example/pass#${pass.code}`);
    expect(pass.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(Date.parse(pass.validUntil)).toBe(now + 30 * dayMs);

    const found = await admin.call("GET", "/api/admin/passes?search=100%25&state=active");
    expect(found.json).toMatchObject({ total: 1, passes: [{ id: pass.id, maxDevices: 2 }] });
    expect(found.text).not.toContain(pass.code);
    expect((await admin.call("GET", "/api/admin/passes?search=100_")).json.total).toBe(0);

    const path = `/api/admin/passes/${pass.id}`;
    const longer = await admin.call("PUT", path, { days: 10 });
    expect(Date.parse(longer.json.validUntil)).toBe(now + 40 * dayMs);
    expect((await admin.call("GET", path)).json.link).toBe(pass.link);
    const validUntil = new Date(now + dayMs).toISOString();
    const sooner = await admin.call("PUT", path, { validUntil });
    expect(sooner.json.validUntil).toBe(validUntil);
    expect((await admin.call("DELETE", path)).status).toBe(204);
    expect((await admin.call("GET", path)).json.state).toBe("revoked");
    expect((await admin.call("PUT", path, { days: 10 })).status).toBe(409);

    const { rows } = { rows: await app.db.selectFrom("audit_log").selectAll().execute() };
    const actions = rows.filter(({ entity_id: id }) => id === pass.id).map((row) => row.action);
    const updated = ["pass.updated", "pass.updated"];
    expect(actions.toSorted()).toEqual(["pass.created", "pass.revoked", ...updated]);
    expect(JSON.stringify(rows)).not.toContain(pass.code);
  });

  it("extends a pass until the end of the year 9999 at most", async () => {
    const validUntil = "9999-12-31T00:00:00.000Z";
    const { id } = await create({ days: undefined, validUntil });
    const extended = await admin.call("PUT", `/api/admin/passes/${id}`, { days: 7 });
    expect(extended).toMatchObject({
      status: 200,
      json: { validUntil: "9999-12-31T23:59:59.999Z" },
    });
    expect((await admin.call("GET", "/api/admin/passes")).status).toBe(200);
  });

  it("returns the same pass for a repeated reference, and 409 for other terms", async () => {
    const body = { days: 30, devices: 2, reference: "order-7", email: "b@example.org" };
    const sent = await Promise.all(
      [1, 2, 3].map(() => admin.call("POST", "/api/admin/passes", body)),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(sent.map(({ json }) => json.link)).size).toBe(1);
    const other = await admin.call("POST", "/api/admin/passes", { ...body, days: 31 });
    expect(other.status).toBe(409);
    now += dayMs;
    const later = await admin.call("POST", "/api/admin/passes", body);
    expect([later.status, later.json.validUntil]).toEqual([200, sent[0]?.json.validUntil]);
  });

  it("creates many passes with different codes", async () => {
    const { json } = await admin.call("POST", "/api/admin/passes/batch", { count: 50, days: 5 });
    expect(new Set(json.passes.map(({ code }: { code: string }) => code)).size).toBe(50);
  });

  it("names the zone of the end in the email and on the page", async () => {
    const sent: string[] = [];
    app.context.mailer.send = async ({ text }) => void sent.push(text);
    // The end of March 31 in New York.
    const terms = { days: undefined, validUntil: "2099-04-01T03:59:59.000Z" };
    const { id, code } = await create({ ...terms, email: "ada@example.org" });
    expect((await admin.call("POST", `/api/admin/passes/${id}/mail`)).status).toBe(204);
    const end = /until April 1, 2099 at 3:59\sAM UTC\./;
    expect(sent).toEqual([expect.stringMatching(end)]);
    const one = visitor();
    expect((await one.post({ code })).text).toMatch(end);
    await one.post({ code, do: "use" });
    expect((await one.get("/de/pass")).text).toContain("bis 1. April 2099 um 03:59 UTC.");
  });

  it("explains why an email couldn't be sent, and records those that were", async () => {
    const { id } = await create({ email: "ada@example.org", note: "Ada" });
    const mail = () => admin.call("POST", `/api/admin/passes/${id}/mail`);
    const mailed = async () => {
      const { json } = await admin.call("GET", `/api/admin/audit?entityId=${id}`);
      return json.entries.filter(({ action }: { action: string }) => action === "pass.mailed");
    };
    const fail = async (message: string, facts: object) => {
      app.context.mailer.send = () => Promise.reject(Object.assign(new Error(message), facts));
      const { status, json } = await mail();
      return [status, json.message];
    };
    const refusal = { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 };
    expect(await fail("550 5.1.1 No such user", refusal)).toEqual([
      409,
      "The mail server didn't accept the email (550 5.1.1 No such user). Correct the address of the pass, or copy the link and send it another way.",
    ]);
    for (const facts of [
      { code: "ECONNECTION", command: "CONN" },
      { ...refusal, responseCode: 450 },
      { ...refusal, command: "MAIL FROM" },
    ]) {
      expect(await fail("Not now", facts)).toEqual([
        503,
        "The email couldn't be sent (Not now). Try again later, or copy the link and send it yourself.",
      ]);
    }
    app.context.mailer.send = () => Promise.reject(new UnconfirmedMail());
    expect((await mail()).json.message).toBe(
      "The mail server hasn't confirmed the email. It may still arrive. Copy the link if it doesn't.",
    );
    expect(await mailed()).toEqual([]);
    app.context.mailer.send = () => Promise.resolve();
    expect((await mail()).status).toBe(204);
    expect(await mailed()).toMatchObject([{ entity: "pass", after: { name: "Ada" } }]);
  });

  it.each([
    [{}],
    [{ days: 3, validUntil: "2030-01-01T00:00:00Z" }],
    [{ validUntil: "2020-01-01T00:00:00Z" }],
    [{ days: 0 }],
    [{ days: 1, devices: 11 }],
    [{ days: 1, email: "nobody" }],
  ])("refuses the terms %j", async (body) => {
    expect((await admin.call("POST", "/api/admin/passes", body)).status).toBe(400);
  });

  it("shows links after a change of SECRETS_KEY, and changes nothing without the key", async () => {
    const { id, link, validUntil } = await create();
    const startWith = async (keys: Partial<Config>) => {
      const config = { ...app.context.config, ...keys };
      const feature = createPassesFeature({ ...app.context, config, sendSoon: () => undefined });
      await feature.start();
      return feature.passes;
    };
    const [first, second] = ["a".repeat(32), "b".repeat(32)];
    await startWith({ secretsKey: first });
    await startWith({ secretsKey: second, formerSecretsKey: first });
    expect(await (await startWith({ secretsKey: second })).get(id)).toMatchObject({ link });

    const extended = await admin.call("PUT", `/api/admin/passes/${id}`, { days: 30 });
    expect(extended).toMatchObject({ status: 409 });
    const passes = await startWith({ formerSecretsKey: second });
    expect(await passes.get(id)).toMatchObject({ link, validUntil });
  });

  it("stores codes as hashes and sealed copies only", async () => {
    const { id, code } = await create();
    const row = await app.db
      .selectFrom("passes")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const plain = code.replaceAll("-", "");
    for (const text of [row.sealed_code, row.code_hash].map(String)) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(plain);
    }
  });
});

describe("the page of a pass", () => {
  it("says what a pass is, and makes the device a member on request", async () => {
    const { code } = await create({ devices: 2 });
    const one = visitor();
    const looked = await one.post({ code: code.toLowerCase().replaceAll("-", " ") });
    expect(looked.status).toBe(200);
    expect(looked.text).toContain("Used on 0 of 2 devices.");
    expect(looked.headers.get("cache-control")).toBe("private, no-store");
    expect(await isMember(one, videoId)).toBe(false);

    const used = await one.post({ code, do: "use", next: "/video/x" });
    expect([used.status, used.headers.get("location")]).toEqual([303, "/pass?next=%2Fvideo%2Fx"]);
    const cookies = used.headers.getSetCookie();
    expect(cookies[0]).toMatch(/^member=[\w-]{43}; .*HttpOnly; SameSite=Lax/);
    expect(cookies[1]).toMatch(/^member_until=\d+; /);
    expect(cookies[1]).not.toContain("HttpOnly");
    expect(await isMember(one, videoId)).toBe(true);
    const own = await one.get("/pass");
    expect(own.text).toContain("Firefox on Linux (this device)");
    expect(own.text).not.toContain(code);
    expect((await one.get("/de/pass")).text).toContain("Dein Pass");
  });

  it("asks before it replaces the device that was used longest ago", async () => {
    const { code } = await create({ devices: 1 });
    const [one, two] = [visitor(), visitor("Mozilla/5.0 (iPhone) Safari/604.1")];
    await one.post({ code, do: "use" });
    const asked = await two.post({ code, do: "use" });
    expect(asked.status).toBe(409);
    expect(asked.text).toContain("Use it here and sign out Firefox on Linux");
    expect([await isMember(one, videoId), await isMember(two, videoId)]).toEqual([true, false]);

    const [, replaced] = /name="replaced" value="([^"]+)"/.exec(asked.text) ?? [];
    expect((await two.post({ code, do: "use", replaced })).status).toBe(303);
    expect([await isMember(one, videoId), await isMember(two, videoId)]).toEqual([false, true]);
  });

  it("gives the last place to one of several devices at once", async () => {
    const { id, code } = await create({ devices: 2 });
    const all = Array.from({ length: 6 }, () => visitor());
    const used = await Promise.all(all.map((each) => each.post({ code, do: "use" })));
    expect(used.map(({ status }) => status).toSorted()).toEqual([303, 303, 409, 409, 409, 409]);
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBe(2);
  });

  it("replaces a device while it records its use", async () => {
    const { id, code } = await create({ devices: 1 });
    const one = visitor();
    await one.post({ code, do: "use" });
    // "Last used" is old enough to be recorded again.
    now += 3_600_000;
    const used = await app.db.transaction().execute(async (trx) => {
      await trx.selectFrom("passes").select("id").where("id", "=", id).forUpdate().execute();
      const reading = isMember(one, videoId);
      await expect.poll(() => countLockWaits(trx)).toBe(1);
      await trx.deleteFrom("pass_devices").where("pass_id", "=", id).execute();
      return { reading };
    });
    expect(await used.reading).toBe(true);
    expect(await isMember(one, videoId)).toBe(false);
  });

  it("signs out another device, and leaves with this one", async () => {
    const { id, code } = await create({ devices: 2 });
    const [one, two] = [visitor(), visitor()];
    await one.post({ code, do: "use" });
    await two.post({ code, do: "use" });
    const list = (await one.get("/pass")).text;
    const ids = [...list.matchAll(/name="device" value="([^"]+)"/g)].map(([, device]) => device);
    expect(ids).toHaveLength(2);
    for (const device of ids) {
      if (await isMember(two, videoId)) await one.post({ do: "out", device });
    }
    const left = await ((await isMember(one, videoId)) ? one : two).post({
      do: "leave",
      next: "/",
    });
    expect(left.headers.get("location")).toBe("/");
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBeLessThan(2);
    expect([await isMember(one, videoId), await isMember(two, videoId)]).toEqual([false, false]);
  });

  it("doesn't sign out devices of another pass", async () => {
    const [mine, other] = [await create(), await create()];
    const [one, two] = [visitor(), visitor()];
    await one.post({ code: mine.code, do: "use" });
    await two.post({ code: other.code, do: "use" });
    const [, device] = /name="device" value="([^"]+)"/.exec((await two.get("/pass")).text) ?? [];
    await one.post({ do: "out", device });
    expect(await isMember(two, videoId)).toBe(true);
  });

  it("limits the codes that an address tries", async () => {
    const guesser = visitor();
    const codes = Array.from({ length: passLimits.triesPerMinute }, () => "0".repeat(20));
    for (const code of codes) expect((await guesser.post({ code })).status).toBe(404);
    const limited = await guesser.post({ code: (await create()).code });
    expect(limited.status).toBe(429);
    expect(limited.text).toContain("Too many attempts");
  });

  it("goes only to pages of this site", async () => {
    const { code } = await create();
    const used = await visitor().post({ code, do: "use", next: "//evil.example" });
    expect(used.headers.get("location")).toBe("/pass?next=%2Fhome");
  });

  it("ends with the pass, and begins again with its extension", async () => {
    const { id, code } = await create({ days: 2 });
    const one = visitor();
    const used = await one.post({ code, do: "use" });
    // Browsers keep the cookies beyond the end of the pass.
    const lifetimes = ({ headers }: typeof used) =>
      headers.getSetCookie().map((line) => /Max-Age=(\d+)/.exec(line)?.[1]);
    const longest = String((400 * dayMs) / 1000);
    expect(lifetimes(used)).toEqual([longest, longest]);
    now += 2 * dayMs;
    expect(await isMember(one, videoId)).toBe(false);
    expect((await visitor().post({ code })).text).toContain("This pass ended on");
    await admin.call("PUT", `/api/admin/passes/${id}`, { days: 1 });
    const played = await one.get(`/api/members/videos/${videoId}`);
    expect([played.status, lifetimes(played)]).toEqual([200, [longest, longest]]);
    expect(one.client.jar.get("member_until")).toBe(String(now + dayMs));
    // A clock that goes back doesn't end a pass early, nor does it revive a revoked one.
    now -= 5 * dayMs;
    expect(await isMember(one, videoId)).toBe(true);
    await admin.call("DELETE", `/api/admin/passes/${id}`);
    expect(await isMember(one, videoId)).toBe(false);
    // The header of pages no longer shows a member.
    expect(one.client.jar.get("member") ?? "").toBe("");
    now += 5 * dayMs;
  });

  it("updates the cookies on its page, so that the header agrees with it", async () => {
    const { id, code } = await create({ days: 2 });
    const one = visitor();
    const { jar } = one.client;
    await one.post({ code, do: "use" });
    await admin.call("PUT", `/api/admin/passes/${id}`, { days: 3 });
    const page = await one.get("/pass");
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(jar.get("member_until")).toBe(String(now + 5 * dayMs));
    await admin.call("DELETE", `/api/admin/passes/${id}`);
    await one.get("/pass");
    expect([jar.get("member") ?? "", jar.get("member_until")]).toEqual(["", "0"]);
  });

  it("leaves an ended pass when its device uses another one", async () => {
    const [ended, next] = [await create({ days: 1 }), await create()];
    const one = visitor();
    await one.post({ code: ended.code, do: "use" });
    now += dayMs;
    await one.post({ code: next.code, do: "use" });
    expect((await admin.call("GET", `/api/admin/passes/${ended.id}`)).json.devices).toBe(0);
    expect(await isMember(one, videoId)).toBe(true);
  });

  it("isn't carried by a device transfer of the visitor library", async () => {
    const { id, code } = await create();
    const [one, two] = [visitor(), visitor()];
    await one.post({ code, do: "use" });
    const made = await one.client.call("POST", "/api/transfers", { data: "{}" });
    const claimed = await two.client.call("POST", "/api/transfers/claim", { code: made.json.code });
    expect(claimed.status).toBe(200);
    expect([await isMember(one, videoId), await isMember(two, videoId)]).toEqual([true, false]);
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBe(1);
  });

  it("forgets the device with everything else about the visitor", async () => {
    const { id, code } = await create();
    const one = visitor();
    await one.post({ code, do: "use" });
    const forgot = await one.client.call("POST", "/api/forget");
    expect(forgot.headers.getSetCookie().join()).toContain("member=; Path=/; Max-Age=0");
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBe(0);
  });
});

describe("a second process", () => {
  const hourMs = 3_600_000;
  let other: Awaited<ReturnType<typeof startTestApp>>;
  let aheadMs = 0;
  beforeAll(async () => {
    const read = () => now + aheadMs;
    other = await startTestApp({
      besides: app,
      pages: true,
      env: { TRUST_PROXY: "127.0.0.1" },
      clock: { now: read, date: () => new Date(read()) },
    });
  });
  afterAll(() => other.stop());
  /** Returns the status of a member's call there, with the cookies of a device here. */
  const statusThere = async (device: ReturnType<typeof visitor>) => {
    const there = createClient(other.url);
    for (const [name, value] of device.client.jar) there.jar.set(name, value);
    const { status } = await there.call("GET", `/api/members/videos/${videoId}`);
    return { status, hasCookie: there.jar.get("member") === device.client.jar.get("member") };
  };

  it("gives the last place to one of several devices at once", async () => {
    const { id, code } = await create({ devices: 2 });
    const used = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        visitor().useAt(at % 2 === 0 ? app.url : other.url, code),
      ),
    );
    expect(used.filter((status) => status === 303)).toHaveLength(2);
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBe(2);
  });

  it("replaces a device once if two others want its place at once", async () => {
    const { id, code } = await create({ devices: 1 });
    const [first, ...rest] = [visitor(), visitor(), visitor()];
    await first?.post({ code, do: "use" });
    const asked = await rest[0]?.post({ code, do: "use" });
    const [, replaced = ""] = /name="replaced" value="([^"]+)"/.exec(asked?.text ?? "") ?? [];
    const used = await Promise.all(
      rest.map((each, at) => each.useAt(at === 0 ? app.url : other.url, code, replaced)),
    );
    expect(used.toSorted()).toEqual([303, 409]);
    expect((await admin.call("GET", `/api/admin/passes/${id}`)).json.devices).toBe(1);
  });

  it.each([
    ["fast", hourMs],
    ["slow", -hourMs],
  ])("keeps passes and cookies if its clock is an hour %s", async (_, offsetMs) => {
    const { code } = await create({ days: 2 });
    const one = visitor();
    await one.post({ code, do: "use" });
    aheadMs = offsetMs;
    try {
      expect(await statusThere(one)).toEqual({ status: 200, hasCookie: true });
      // For the fast clock, the pass has ended. The device and its cookie remain.
      now += 2 * dayMs - hourMs / 2;
      const isFast = offsetMs > 0;
      expect(await statusThere(one)).toEqual({ status: isFast ? 403 : 200, hasCookie: true });
      await other.runJob("passes.end");
      expect(await isMember(one, videoId)).toBe(true);
      now += hourMs;
      expect(await isMember(one, videoId)).toBe(false);
    } finally {
      aheadMs = 0;
    }
  });

  it("refuses a pass as soon as the first one has revoked it", async () => {
    const { id, code } = await create();
    const one = visitor();
    await one.post({ code, do: "use" });
    const there: TestClient = createClient(other.url);
    for (const [name, value] of one.client.jar) there.jar.set(name, value);
    const read = () => there.call("GET", `/api/members/videos/${videoId}`);
    expect((await read()).status).toBe(200);
    await admin.call("DELETE", `/api/admin/passes/${id}`);
    expect((await read()).status).toBe(403);
  });
});

it("tells webhooks when a pass is created, used and ended, without its secret", async () => {
  const events = ["pass.created", "pass.used", "pass.ended"];
  const hook = { url: "https://shop.example/hook", events };
  const { json } = await admin.call("POST", "/api/admin/webhooks", hook);
  const [kept, revoked] = [await create({ days: 3, reference: "order-9" }), await create()];
  await visitor().post({ code: kept.code, do: "use" });
  await admin.call("DELETE", `/api/admin/passes/${revoked.id}`);
  now += 4 * dayMs;
  await app.runJob("passes.end");
  await app.runJob("passes.end");
  const rows = await app.db
    .selectFrom("webhook_deliveries")
    .select(["event", "data"])
    .where("webhook_id", "=", json.webhook.id)
    .execute();
  const of = (id: string) =>
    rows
      .filter(({ data }) => JSON.stringify(data).includes(id))
      .map(({ event }) => event)
      .toSorted();
  expect(of(kept.id)).toEqual(["pass.created", "pass.ended", "pass.used"]);
  expect(of(revoked.id)).toEqual(["pass.created", "pass.ended"]);
  expect(JSON.stringify(rows)).toContain("order-9");
  expect(JSON.stringify(rows)).not.toContain(kept.code);
});
