import { connect } from "node:net";
import { once } from "node:events";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gigabyte, mediaBudgetBytes } from "#contract/site/media-budget.ts";
import type { FastifyRequest } from "fastify";
import { createMetrics } from "#server/lib/metrics/metrics.ts";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { encodeSound } from "#server/media/plan/encode-options.ts";
import { planRungs } from "#server/media/plan/rungs.ts";
import { createMediaBudget } from "./media-budget.ts";

const slotMs = 5 * 60_000;
const limit = mediaBudgetBytes.min;
const largeBytes = 24_000_000;
let nowMs = Date.now();
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const env = { MEDIA_BYTES_PER_HOUR: String(limit), TRUST_PROXY: "127.0.0.1" };
/** Two processes of one site. */
const app = useTestApp({ clock, env, logLevel: "silent" });
const other = useTestApp(() => ({ clock, env, besides: app, logLevel: "silent" }));
const admin = useClient(app);
let folder: string;
let network = 0;
let address: string;

beforeAll(async () => {
  const video = await makeVideo(app.db);
  folder = `v/${video.media_token}/`;
  const { storage } = app.context;
  await storage.putBytes(`${folder}play.mp4`, Buffer.alloc(1000));
  await storage.putBytes(`${folder}large.mp4`, Buffer.alloc(largeBytes));
  await storage.putBytes(`${folder}poster.webp`, Buffer.alloc(1000));
});
beforeEach(() => {
  network += 1;
  address = `10.0.${network}.1`;
});

function get(file: string, options: { from?: string; at?: string; method?: string } & SentHeaders) {
  const { from = address, at = app.url, method = "GET", ...headers } = options;
  return fetch(`${at}/media/${folder}${file}`, {
    method,
    headers: { "x-forwarded-for": from, ...headers },
  });
}
type SentHeaders = { range?: string; cookie?: string; "if-none-match"?: string };

async function statusOf(...args: Parameters<typeof get>): Promise<number> {
  const response = await get(...args);
  await response.arrayBuffer();
  return response.status;
}

const groupOf = (ip: string) => app.context.visitors.addressGroupKey({ ip } as FastifyRequest);

/** Counts bytes of an address as another process would, `minutesAgo`. */
async function spend(ip: string, bytes: number, minutesAgo = 0): Promise<void> {
  const slot = Math.floor((nowMs - minutesAgo * 60_000) / slotMs);
  await sql`insert into media_bytes values (${groupOf(ip)}, ${slot}, ${bytes})`.execute(app.db);
}

async function storedBytes(ip: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from media_bytes
    where address_group = ${groupOf(ip)}`.execute(app.db);
  return rows[0]?.bytes ?? 0;
}

async function metric(answer: string): Promise<number> {
  const text = await app.context.metrics.getSingleMetricAsString("kinora_media_bytes_total");
  return Number(new RegExp(`answer="${answer}"\\} (\\d+)`).exec(text)?.[1]);
}

describe("the hourly media budget", () => {
  it("is shared by the processes, and refuses with the time until bytes are free again", async () => {
    await spend(address, limit - 1500, 40);
    expect(await statusOf("play.mp4", {})).toBe(200);
    expect(await statusOf("play.mp4", {})).toBe(200);
    await expect.poll(() => statusOf("play.mp4", { at: other.url })).toBe(429);
    const refused = await get("play.mp4", {});
    expect(refused.status).toBe(429);
    const waitS = Number(refused.headers.get("retry-after"));
    expect(waitS).toBeGreaterThan(15 * 60);
    expect(waitS).toBeLessThanOrEqual(20 * 60);
    nowMs += waitS * 1000;
    expect(await statusOf("play.mp4", {})).toBe(200);
    expect(await statusOf("play.mp4", { at: other.url })).toBe(200);
  });

  it("counts ranges, and neither HEAD, 304, refusals nor pictures", async () => {
    const sent = await metric("sent");
    const refused = await metric("budget");
    const tag = (await get("play.mp4", { method: "HEAD" })).headers.get("etag") ?? "";
    expect(await statusOf("play.mp4", { range: "bytes=100-199" })).toBe(206);
    await expect.poll(() => storedBytes(address)).toBe(100);
    await spend(address, limit, 10);
    await expect.poll(() => statusOf("play.mp4", { range: "bytes=0-0" })).toBe(429);
    expect((await metric("budget")) - refused).toBeGreaterThan(0);
    expect(await statusOf("play.mp4", { method: "HEAD" })).toBe(200);
    expect(await statusOf("play.mp4", { "if-none-match": tag })).toBe(304);
    expect(await statusOf("poster.webp", {})).toBe(200);
    expect(await statusOf("play.mp4", { cookie: await app.signIn() })).toBe(200);
    expect((await metric("sent")) - sent).toBeGreaterThanOrEqual(2100);
    expect((await metric("sent")) - sent).toBeLessThan(3000);
    expect((await storedBytes(address)) - limit).toBeLessThan(900);
  });

  it("counts 200 addresses of one network as one, IPv6 included", async () => {
    const part = { range: "bytes=0-0" };
    await spend("203.0.113.7", limit);
    await spend("2001:db8:1::7", limit);
    const addresses = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? `203.0.113.${index}` : `2001:db8:1:${index}::1`,
    );
    const statuses = await Promise.all(
      addresses.map((from) => statusOf("play.mp4", { from, ...part })),
    );
    expect(new Set(statuses)).toEqual(new Set([429]));
    for (const from of ["203.0.114.7", "2001:db8:2::7"]) {
      expect(await statusOf("play.mp4", { from, ...part })).toBe(206);
    }
  });

  it("counts what an aborted response sent", async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /media/${folder}large.mp4 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`,
    );
    await once(socket, "data");
    socket.destroy();
    await expect.poll(() => storedBytes(address)).toBeGreaterThan(0);
    expect(await storedBytes(address)).toBeLessThan(largeBytes);
  });

  it("ends a response that uses up the budget", async () => {
    await spend(address, limit - 1000);
    const response = await get("large.mp4", {});
    expect(response.status).toBe(200);
    // Not compared as bytes, because a failure would print all of them.
    const isWhole = await response.arrayBuffer().then(
      () => true,
      () => false,
    );
    expect(isWhole).toBe(false);
    expect(await statusOf("large.mp4", {})).toBe(429);
    await expect.poll(() => storedBytes(address)).toBeGreaterThan(limit);
    expect(await storedBytes(address)).toBeLessThan(limit + largeBytes / 2);
  });

  it("refuses nobody while the database can't share the counts", async () => {
    await sql`alter table media_bytes rename to media_bytes_away`.execute(app.db);
    expect(await statusOf("play.mp4", {})).toBe(200);
    await sql`alter table media_bytes_away rename to media_bytes`.execute(app.db);
    await expect.poll(() => storedBytes(address), { timeout: 10_000 }).toBe(1000);
  });

  it("writes its counts again after the database refused them", async () => {
    const { visitors, logger } = app.context;
    const metrics = createMetrics();
    const findLimit = async () => limit;
    const budget = createMediaBudget({ db: app.db, visitors, clock, metrics, logger, findLimit });
    const request = { ip: address, user: null } as FastifyRequest;
    const response = await budget.begin(request, { length: 1000, isLimited: true });
    response.count(1000);
    await sql`alter table media_bytes rename to media_bytes_away`.execute(app.db);
    await budget.flush();
    await sql`alter table media_bytes_away rename to media_bytes`.execute(app.db);
    await expect.poll(() => storedBytes(address)).toBe(1000);
  });

  it("follows the settings before the variable, and refuses a budget that is too small", async () => {
    const save = async (mediaBytesPerHour: number | null) => {
      const { status } = await admin.call("POST", "/api/settings", { mediaBytesPerHour });
      return status;
    };
    await spend(address, 2 * limit);
    expect(await save(3 * limit)).toBe(200);
    expect(await statusOf("play.mp4", {})).toBe(200);
    expect(await save(null)).toBe(200);
    expect(await statusOf("play.mp4", {})).toBe(429);
    expect(await save(limit - 1)).toBe(400);
    const shown = await createClient(app.url).call("GET", "/api/settings/public");
    expect(shown.json).not.toHaveProperty("mediaBytesPerHour");
  });

  it("counts bytes refused to pages of other sites", async () => {
    const before = await metric("hotlink");
    await admin.call("POST", "/api/settings", { mediaOnOtherSites: false });
    const response = await fetch(`${app.url}/media/${folder}play.mp4`, {
      headers: { "sec-fetch-site": "cross-site", range: "bytes=0-99" },
    });
    await admin.call("POST", "/api/settings", { mediaOnOtherSites: true });
    expect([response.status, (await metric("hotlink")) - before]).toEqual([403, 100]);
  });
});

it("leaves room for an hour in the largest 1080p rendition, three times over", () => {
  // Wide pictures have the highest bit rates of 1080 lines.
  const sizes = [
    [1920, 1080],
    [1080, 1920],
    [2560, 1080],
    [3240, 1080],
  ] as const;
  const rungs = sizes.flatMap(([width, height]) => planRungs(width, height, 60));
  const kbps = Math.max(...rungs.map(({ maxrateKbps }) => maxrateKbps));
  const soundKbps = Math.max(
    ...([2, 6] as const).map((channels) =>
      Number(/(\d+)k/.exec(encodeSound(channels, 0).join())?.[1]),
    ),
  );
  const hourBytes = ((kbps + soundKbps) * 1000 * 3600) / 8;
  expect(hourBytes).toBeGreaterThan(5 * gigabyte);
  expect(3 * hourBytes).toBeLessThan(mediaBudgetBytes.min);
});
