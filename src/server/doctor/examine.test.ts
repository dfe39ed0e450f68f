import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import type { Finding } from "#contract/site/doctor.ts";
import { readConfig } from "#server/config.ts";
import { migrations } from "#server/db/migrate.ts";
import { commandLine } from "#server/commands/command.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { checkAddresses, checkPort, checkRequest } from "./check-addresses.ts";
import {
  checkVersions,
  checkMail,
  checkBackups,
  checkDatabase,
  checkLabels,
  checkMedia,
  checkReview,
  checkStorage,
  checkVideos,
} from "./examine.ts";
import { readServerState, type ServerState } from "./server-state.repository.ts";

const config = readConfig({});
const now = new Date("2026-11-22T12:00:00Z");
const good: ServerState = {
  version: "18.4",
  maxConnections: 97,
  clockAheadS: 0.1,
  migrations: Object.keys(migrations),
  schemaDifferences: [],
  collation: { database: "kinora", stored: null, actual: null, lowersLetters: true },
  siteUrl: "https://video.example",
  lastBackupAt: now,
  lossyLabels: [],
  fileReview: {
    ...{ due: 0, unrenewed: [] },
    withdrawn: { processing: [], ready: [], failed: [] },
  },
};
/** Returns the findings that aren't ok, by subject. */
const wrong = (findings: Finding[]) =>
  Object.fromEntries(
    findings.filter(({ state }) => state !== "ok").map(({ about, state }) => [about, state]),
  );
const database = (state: Partial<ServerState>, webProcesses = 8) =>
  wrong(checkDatabase({ ...good, ...state }, { ...config, webProcesses }));

test.each([
  ["smtp", "220 mail\r\n", "ok", null],
  ["smtps", "220 mail\r\n", "failure", /^This port doesn't begin with TLS\./],
  ["smtp", "554 no\r\n", "failure", /^Check the host and the port in SMTP_URL/],
] as const)(
  "checks a mail server over %s that says %j",
  async (scheme, greeting, state, advice) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.write(greeting);
      socket.on("data", (data) => {
        socket.write(String(data).startsWith("EHLO") ? "250 mail\r\n" : "221 bye\r\n");
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const smtp = { url: `${scheme}://127.0.0.1:${port}`, from: "site@example.com" };
      const found = await checkMail({ ...config, smtp });
      expect([found.about, found.state]).toEqual(["mail", state]);
      if (advice === null) expect(found.advice).toBeNull();
      else expect(found.advice).toMatch(advice);
    } finally {
      server.close();
    }
  },
);

test("accepts a site without a mail server", async () => {
  expect((await checkMail(config)).state).toBe("ok");
});

test("writes free space as the back office does, with two decimals", async () => {
  const [finding] = await checkStorage({ ...config, dataDir: tmpdir(), maxUploadBytes: 1 });
  expect(finding?.says).toMatch(/^\d+\.\d\d [KMG]B free$/);
});

test("checks a database's schema, connections, clock and collation", () => {
  expect(database({})).toEqual({});
  const updated = { ...good.collation, stored: "2.36", actual: "2.41" };
  expect(database({ collation: updated })).toEqual({ collation: "warning" });
  const ascii = { ...good.collation, lowersLetters: false };
  expect(database({ collation: ascii })).toEqual({ collation: "warning" });
  expect(database({ migrations: [] })).toEqual({ schema: "warning" });
  expect(database({ migrations: [...good.migrations, "2999_newer"] })).toEqual({
    schema: "failure",
  });
  expect(database({ schemaDifferences: ["column settings.source_url text is missing"] })).toEqual({
    schema: "failure",
  });
  expect(database({ schemaDifferences: null })).toEqual({});
  expect(database({ maxConnections: 85 })).toEqual({ connections: "warning" });
  expect(database({ maxConnections: 85 }, 4)).toEqual({});
  expect(database({ clockAheadS: -3 })).toEqual({ clocks: "warning" });
});

test("warns about versions that are out of support", () => {
  const check = (versions: Partial<Parameters<typeof checkVersions>[0]>, at = now) =>
    checkVersions({ kinora: "1.0.0", node: "24.1.0", postgres: "18.4", ...versions }, at).advice;
  expect(check({})).toBeNull();
  expect(check({ node: "20.1.0" })).toMatch(/^Upgrade Node\.js:/);
  expect(check({ postgres: "15.9" })).toBeNull();
  expect(check({ postgres: "15.9" }, new Date("2028-01-01"))).toMatch(/^Upgrade PostgreSQL:/);
});

test("finds backups, and warns about them after a week", () => {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  expect(checkBackups(null, now)).toMatchObject({ state: "warning", says: "no backup recorded" });
  expect(checkBackups(daysAgo(6), now).state).toBe("ok");
  expect(checkBackups(daysAgo(9), now)).toMatchObject({
    state: "warning",
    says: "the last backup is 9 days old",
  });
});

test("reports media tools that are outdated, lack features or run without a sandbox", () => {
  const report = {
    paths: { ffmpeg: "", ffprobe: "" },
    version: "8.0",
    tools: {
      ffmpeg: { version: "8.1", year: 2026, libavutil: 60 },
      ffprobe: { version: "8.1", year: 2026, libavutil: 60 },
    },
    missing: [],
    degraded: [],
    line: null,
    hasWebp: true,
    hasAvif: true,
    hasDeinterlacer: true,
    hasDownmix: true,
    refusesReservedColors: true,
    hasSubtitles: true,
    hasSvtAv1: true,
    sandbox: { level: "bwrap", description: "media sandbox: bwrap", weakness: null } as const,
  };
  const check = (change: Partial<Parameters<typeof checkMedia>[0]>) =>
    wrong(checkMedia({ ...report, ...change }, now));
  expect(check({})).toEqual({});
  expect(check({ degraded: ["libwebp"] })).toEqual({ ffmpeg: "warning" });
  const { ffmpeg } = report.tools;
  const ffprobe = { version: "N-66595-g1-static", year: 2024, libavutil: 58 };
  expect(check({ tools: { ffmpeg, ffprobe } })).toEqual({ ffmpeg: "warning" });
  expect(check({ sandbox: { level: "none", description: "no sandbox", weakness: "x" } })).toEqual({
    sandbox: "warning",
  });
  const [, found] = checkMedia(
    {
      ...report,
      sandbox: {
        level: "none",
        description: "no sandbox",
        weakness: "bwrap: bwrap: setting up uid map: Permission denied",
      },
    },
    now,
  );
  expect(found?.advice).toContain("kernel.apparmor_restrict_unprivileged_userns=0 on the host");
  const weaker = { ...report.sandbox, weakness: "bwrap: Operation not permitted" };
  expect(check({ sandbox: weaker })).toEqual({ sandbox: "warning" });
});

test("detects an untrusted proxy and lost headers from an admin's request", () => {
  const seen = {
    peer: "10.0.0.9",
    isPeerTrusted: true,
    isForwarded: true,
    origin: "https://video.example",
  };
  const check = (change: Partial<typeof seen>) =>
    checkRequest({ ...seen, ...change }, "https://video.example").advice;
  expect(check({})).toBeNull();
  expect(check({ isForwarded: false, isPeerTrusted: false })).toBeNull();
  expect(check({ isPeerTrusted: false })).toMatch(/^Set TRUST_PROXY=10\.0\.0\.9\./);
  expect(check({ origin: "http://video.example" })).toMatch(/^Open https:\/\/video\.example\./);
});

let other: Server;
const app = useTestApp();
beforeAll(async () => {
  other = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
});
afterAll(() => {
  other.close();
});

test("reports addresses that visitors can't use safely", async () => {
  const check = async (siteUrl: string, settingsUrl: string | null) =>
    wrong(await checkAddresses({ ...config, siteUrl }, settingsUrl, null));
  expect(await check("http://localhost:3000", null)).toEqual({ address: "warning" });
  expect(await check("http://video.example", null)).toEqual({ address: "warning" });
  expect(await check("http://localhost:3000", "https://127.0.0.1:9")).toEqual({
    address: "warning",
    proxy: "warning",
  });
});

test("distinguishes a free port, a port of another program and the site's own port", async () => {
  const check = (port: number) => checkPort({ ...config, host: "127.0.0.1", port });
  expect(await check(Number(new URL(app.url).port))).toMatchObject([
    { state: "ok", says: expect.stringMatching(/ready$/) },
  ]);
  expect(await check((other.address() as AddressInfo).port)).toMatchObject([
    { state: "failure", says: expect.stringMatching(/^another program responds at/) },
  ]);
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  expect(await check(port)).toMatchObject([
    { state: "ok", says: expect.stringMatching(/is free, and the site isn't running$/) },
  ]);
});

test("lists labels whose address lost letters, until they are renamed", async () => {
  const { db } = app;
  const { id } = await makeTag(db, { name: "Часть 1", slug: "1" });
  await makeTag(db, { name: "日本", slug: "n-3f2504e04f89" });
  await makeTag(db, { name: "Café", slug: "cafe" });
  await makeTag(db, { name: "🎬 film", slug: "film" });
  expect(checkLabels(await readServerState(db)).says).toBe(
    "1 may contain videos of other names: Часть 1",
  );
  const client = createClient(app.url, await app.signIn());
  const renamed = await client.call("PUT", `/api/tags/${id}`, { name: "часть 1" });
  expect(renamed.json.slug).toBe("часть-1");
  expect(checkLabels(await readServerState(db)).state).toBe("ok");
});

test("lists older videos that were withdrawn, until all are made again", async () => {
  const { db } = app.database;
  const check = async () => checkReview(await readServerState(db));
  await db.updateTable("videos").set({ needs_review: false }).execute();
  expect(await check()).toMatchObject({ state: "ok", says: "none had to be changed" });
  const { id } = await makeVideo(db, { slug: "trimmed", status: "processing" });
  await makeVideo(db, { slug: "older" });
  const kinora = { user: { id: null, email: "Kinora" }, requestId: "file-review" };
  const about = { action: "video.withdrawn", entity: "video", entityId: id };
  await recordAudit(db, kinora, about);
  expect(await check()).toMatchObject({
    state: "warning",
    says: "withdrawn and being made again: 1 (trimmed), still to be reviewed: 1",
  });
  const set = async (status: "ready" | "failed") => {
    await db
      .updateTable("videos")
      .set({ status, failure_reason: "x", needs_review: false })
      .execute();
    return check();
  };
  expect(await set("failed")).toMatchObject({
    state: "warning",
    says: "couldn't be made again: 1 (trimmed)",
    advice: expect.stringMatching(/^Open these videos/),
  });
  expect(await set("ready")).toMatchObject({
    state: "ok",
    says: "withdrawn and made again: 1 (trimmed)",
  });
});

test("shows the same findings in the back office, with explanations", async () => {
  const client = createClient(app.url, await app.signIn());
  const about = { action: "backup.created", entity: "backup", entityId: null };
  await recordAudit(app.context.db, commandLine, about);
  const { status, json } = await client.call("GET", "/api/admin/doctor", undefined, {
    "x-forwarded-for": "203.0.113.7",
  });
  expect(status).toBe(200);
  const states = json.findings.map(({ about: name, state }: Finding) => [name, state]);
  expect(Object.fromEntries(states)).toMatchObject({
    database: "ok",
    schema: "ok",
    backups: "ok",
    port: "ok",
    address: "warning",
    proxy: "warning",
  });
  for (const { means, state, advice } of json.findings) {
    expect(means).not.toBe("");
    expect(advice === null).toBe(state === "ok");
  }
});

test("doesn't count videos that have no renditions yet", () => {
  const texts = [0, 3].map((checked) => checkVideos({ checked, damaged: [] }).says);
  expect(texts).toEqual(["no renditions to check yet", "the newest 3 have complete renditions"]);
});
