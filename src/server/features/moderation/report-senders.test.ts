import { beforeEach, describe, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { systemClock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { z } from "zod";
import { createLogger } from "#server/lib/logger.ts";
import { commandLine } from "#server/commands/command.ts";
import { isSenderConfirmed, listResolvedReports } from "./report-senders.repository.ts";
import {
  createAskSenderJob,
  createReportSendersService,
  createSenderMailJob,
} from "./report-senders.service.ts";
import { createReportsService } from "./reports.service.ts";

let clientNumber = 0;

const app = useTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
const moderator = useClient(app, "MODERATOR");
beforeEach(() => {
  clientNumber += 1;
});

const send = (path: string, body: unknown, address = `10.1.${clientNumber}.1`) =>
  createClient(app.url).call("POST", path, body, { "x-forwarded-for": address });
const report = (idOrSlug: string, body: object = { reason: "illegal" }, address?: string) =>
  send(`/api/videos/${idOrSlug}/reports`, body, address);

async function reportsOf(videoId: string) {
  const { json } = await moderator.call("GET", "/api/admin/reports?limit=100");
  return json.reports.filter((each: { video: { id: string } }) => each.video.id === videoId);
}

describe("an address that a report names", () => {
  const jobs: { name: string; payload: unknown; startAfterS: number }[] = [];
  const mailer = { isConfigured: true, send: () => Promise.resolve() };
  const queueOf = (): typeof app.context.queue => ({
    ...app.context.queue,
    enqueue: (_db, name, payload, options) => {
      jobs.push({ name, payload, startAfterS: options?.startAfterS ?? 0 });
      return Promise.resolve();
    },
  });
  const createSenders = () =>
    createReportSendersService({ db: app.db, clock: systemClock, mailer, queue: queueOf() });
  let requesters = 0;
  const ask = (email: string, requester = `${(requesters += 1)}`) =>
    app.db.transaction().execute((trx) => createSenders().ask(trx, email, requester, "de"));
  beforeEach(async () => {
    jobs.length = 0;
    await app.db.deleteFrom("report_senders").execute();
  });

  it("is requested once even if many reports contain the address", async () => {
    for (let n = 0; n < 80; n += 1)
      await ask(n % 2 === 0 ? "third@example.com" : "Third@Example.com");
    expect(jobs).toHaveLength(1);
    await ask("other@example.com");
    expect(jobs).toHaveLength(2);
  });

  it("is requested in a later hour after many other requests", async () => {
    for (let n = 0; n < 70; n += 1) await ask(`${n}@example.com`);
    const delays = jobs.map(({ startAfterS }) => startAfterS);
    expect(delays).toEqual([...Array(60).fill(0), ...Array(10).fill(3600)]);
  });

  it("is one mailbox with all its plus-addresses, and waits behind two others of a requester", async () => {
    for (const email of ["me+1@example.com", "me+2@example.com", "ME@example.com"])
      await ask(email);
    expect(jobs).toHaveLength(1);
    for (const email of ["a.b+1@gmail.com", "ab@googlemail.com"]) await ask(email);
    expect(jobs).toHaveLength(2);
    for (let n = 0; n < 5; n += 1) await ask(`${n}@example.com`, "one network");
    expect(jobs.slice(2).map(({ startAfterS }) => startAfterS / 3600)).toEqual([0, 0, 1, 1, 2]);
    const { token } = z.object({ token: z.string() }).parse(jobs[0]?.payload);
    expect((await send("/report-senders", { token })).status).toBe(200);
    expect(await isSenderConfirmed(app.db, "me+3@example.com")).toBe(true);
  });

  it("is confirmed by a button and not by opening the link", async () => {
    await ask("me@example.com");
    const { token } = z.object({ token: z.string() }).parse(jobs[0]?.payload);
    const visitor = createClient(app.url);
    const find = () => isSenderConfirmed(app.db, "Me@example.com");
    const page = await visitor.call("GET", `/report-senders?token=${token}`);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(page.text).toContain(`value="${token}"`);
    // Over plain http, browsers send no `Sec-Fetch-Site`. The form then needs an origin.
    expect(page.headers.get("referrer-policy")).toBe("origin");
    expect(await find()).toBe(false);
    expect((await send("/report-senders", { token: "wrong" })).status).toBe(404);
    expect(await find()).toBe(false);
    expect((await send("/report-senders", { token })).status).toBe(200);
    expect(await find()).toBe(true);
  });

  it.each([
    ["can't have been accepted", { responseCode: 450 }, 0, true, false],
    ["may have been accepted", { code: "ECONNECTION" }, 0, false, false],
    ["was refused", { responseCode: 553 }, 0, false, true],
    ["has failed for a day", { responseCode: 450 }, 25 * 3600 * 1000, false, true],
  ])(
    "decides whether to retry a mail that %s, and whether another report asks again",
    async (_name, reason, ageMs, isAgain, asksAgain) => {
      await ask("me@example.com");
      const asked = jobs.pop();
      const { askedAtMs } = z.object({ askedAtMs: z.number() }).parse(asked?.payload);
      const job = createAskSenderJob({
        db: app.db,
        clock: { ...systemClock, now: () => askedAtMs + ageMs },
        logger: createLogger("silent"),
        settings: app.context.settings,
        queue: queueOf(),
        mailer: { ...mailer, send: () => Promise.reject(Object.assign(new Error("No"), reason)) },
      });
      await job.run({ ...Object(asked?.payload) }, { signal: new AbortController().signal });
      expect(jobs).toEqual(isAgain ? [{ ...asked, startAfterS: 600 }] : []);
      jobs.length = 0;
      await ask("me@example.com");
      expect(jobs).toHaveLength(asksAgain ? 1 : 0);
    },
  );

  it("uses up the limit of its requester even if its mails are refused", async () => {
    const delays: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      await ask("me@example.com", "one network");
      const asked = jobs.pop();
      delays.push(asked?.startAfterS);
      const refused = Object.assign(new Error("No"), { responseCode: 553 });
      await createAskSenderJob({
        db: app.db,
        clock: systemClock,
        logger: createLogger("silent"),
        settings: app.context.settings,
        queue: queueOf(),
        mailer: { ...mailer, send: () => Promise.reject(refused) },
      }).run({ ...Object(asked?.payload) }, { signal: new AbortController().signal });
      const { token } = z.object({ token: z.string() }).parse(asked?.payload);
      expect(await createSenders().confirm(token)).toBe(false);
    }
    expect(delays).toEqual([0, 0, 3600]);
  });

  it("gets one mail about a decision on many reports", async () => {
    const video = await makeVideo(app.db);
    for (let n = 0; n < 12; n += 1) {
      const email = n < 10 ? "Third@example.com" : "fourth@example.com";
      await report(video.id, { reason: "other", email }, `10.77.${n}.1`);
    }
    const [first] = await reportsOf(video.id);
    const reports = createReportsService({
      db: app.db,
      clock: systemClock,
      logger: createLogger("silent"),
      storage: app.context.storage,
      media: app.context.media,
      queue: queueOf(),
      mailer,
      changed: () => Promise.resolve(),
    });
    await reports.act(first.id, { action: "dismiss", all: true }, commandLine);
    const told = jobs.filter(({ name }) => name === "moderation.tell-sender");
    expect(told).toHaveLength(2);
    expect(told[0]?.payload).toMatchObject({ otherIds: expect.any(Array) });
  });

  it("gets a mail per earlier decision once it is confirmed", async () => {
    await ask("late@example.com");
    const { token } = z.object({ token: z.string() }).parse(jobs.pop()?.payload);
    const ids: string[] = [];
    for (const [n, day] of ["01", "01", "02", null].entries()) {
      const video = await makeVideo(app.db);
      const body = { reason: "other", email: `Late+${n % 2}@example.com` };
      const { json } = await report(video.id, body, `10.78.${n}.1`);
      ids.push(json.reference);
      if (day === null) continue;
      await app.db
        .updateTable("reports")
        .set({ outcome: "removed", state: "resolved", resolved_at: new Date(`2026-03-${day}`) })
        .where("id", "=", json.reference)
        .execute();
    }
    for (let n = 0; n < 2; n += 1) expect(await createSenders().confirm(token)).toBe(true);
    expect(jobs.map(({ payload }) => Object(payload).reportId)).toEqual(ids.slice(0, 3));
  });

  it.each([
    ["a.b@gmail.com", ["AB+1@googlemail.com", "a.b@gmail.com"], "ab@example.com"],
    ["a.b@example.com", ["A.B+1@Example.com", "a.b@example.com"], "ab@example.com"],
  ])("finds the earlier reports of %s without reading all reports", async (email, own, similar) => {
    await app.db.deleteFrom("reports").execute();
    const video = await makeVideo(app.db);
    const ids: string[] = [];
    for (const [n, address] of [...own, similar, "b@gmail.com", "c@example.com"].entries()) {
      const body = { reason: "other", email: address };
      ids.push((await report(video.id, body, `10.79.${clientNumber}.${n}`)).json.reference);
    }
    const resolved = { outcome: "removed", state: "resolved", resolved_at: new Date() } as const;
    await app.db.updateTable("reports").set(resolved).execute();
    const read: unknown[] = [];
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        read.push(...result.rows);
        return Promise.resolve(result);
      },
    });
    const rows = await db.transaction().execute((trx) => listResolvedReports(trx, email));
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(read).toHaveLength(3);
  });
});

describe("the sender of a report", () => {
  it("gets mails in the language of the page of the report", async () => {
    const { db } = app;
    const video = await makeVideo(db, { title: "Harbour" });
    const body = { reason: "other", email: "me@example.com" };
    const { json } = await createClient(app.url).call(
      "POST",
      `/api/videos/${video.id}/reports`,
      body,
      {
        "x-forwarded-for": "10.9.0.1",
        referer: `${app.url}/de/video/${video.slug}`,
      },
    );
    const mails: object[] = [];
    const job = createSenderMailJob({
      db,
      clock: systemClock,
      logger: createLogger("silent"),
      settings: app.context.settings,
      queue: {
        ...app.context.queue,
        enqueue: () => Promise.reject(new Error("The mail was not sent")),
      },
      mailer: {
        isConfigured: true,
        send: (mail) => {
          mails.push(mail);
          return Promise.resolve();
        },
      },
    });
    await db
      .updateTable("reports")
      .set({ outcome: "removed", state: "resolved", created_at: new Date("2026-03-04T12:00:00Z") })
      .where("id", "=", json.reference)
      .execute();
    const run = () =>
      job.run({ reportId: json.reference, askedAtMs: 0 }, { signal: new AbortController().signal });
    await run();
    expect(mails).toEqual([]);
    await db
      .insertInto("report_senders")
      .values({
        email: "me@example.com",
        token_hash: sha256("token"),
        asked_at: new Date(),
        confirmed_at: null,
      })
      .execute();
    await run();
    expect(mails).toEqual([]);
    const confirmed = await send("/report-senders", { token: "token" });
    expect(confirmed.status).toBe(200);
    await run();
    expect(mails).toEqual([
      {
        to: "me@example.com",
        subject: "Deine Meldung an Kinora",
        text: `Du hast am 2026-03-04 das Video „Harbour“ gemeldet.

Wir haben das Video entfernt.

Referenz: ${json.reference}
`,
      },
    ]);
  });
});
