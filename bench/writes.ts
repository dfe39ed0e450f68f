import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { z } from "zod";
import { videoList } from "#contract/videos/videos.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { getSecret } from "#server/db/secrets.ts";
import { adKey, createServeTokens } from "#ads/server/serves/serve-token.ts";
import { hmacSha256, newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { startSite, type Site } from "#test/harness/server-process.ts";
import { createRandom, type Random } from "#test/reference/random.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { cpuMs, databaseCpuMs, endedCpuMs } from "./support/cpu-time.ts";
import { listSiteProcesses } from "./support/site-processes.ts";
import { pacedLoad, type PacedRequest, type PacedResult } from "./support/paced-load.ts";

const videoCount = 2000;
const visitorCount = 20_000;
const adCount = 20;
const readsPerS = 200;

interface Scene {
  videos: { id: string; slug: string }[];
  visitors: { id: string; cookie: string; address: string }[];
  adIds: string[];
  createServe(visitorId: string, adId: string): string;
}

/**
 * Measures readers and writers together: `npm run bench -- writes [--per-second 5000] [--seconds
 * 20] [--profile FOLDER]`. The site is generated once and reused. Its counts grow with every run.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      "per-second": { type: "string", default: "5000" },
      seconds: { type: "string", default: "20" },
      "web-processes": { type: "string", default: "1" },
      /** Folder for a CPU profile of the server. */
      profile: { type: "string" },
    },
  });
  const [perS, seconds] = [Number(values["per-second"]), Number(values.seconds)];
  const dataDir = join(tmpdir(), "kinora-bench-writes");
  if (!existsSync(join(dataDir, "postgres"))) {
    await seedSite({ DATA_DIR: dataDir }, { videos: videoCount, seed: 1 });
  }
  const site = await startSite({
    dataDir,
    env: {
      // A single client writes for all visitors.
      WRITE_LIMITS: "0",
      TRUST_PROXY: "127.0.0.1",
      WEB_PROCESSES: values["web-processes"],
      ...(values.profile === undefined
        ? {}
        : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` }),
    },
  });
  try {
    const scene = await prepare(site);
    const random = createRandom(Date.now() % 1_000_000);
    const reads = () => ({ requests: drawReads(scene, random), perS: readsPerS, connections: 16 });
    const writes = (count: number) => ({
      requests: drawWrites(scene, random, count),
      perS,
      connections: 1000,
    });
    const warmUp = { ...writes(perS * 5), seconds: 5 };
    await Promise.all([
      pacedLoad(site.url, warmUp),
      pacedLoad(site.url, { ...reads(), seconds: 5 }),
    ]);

    const table: (string | number)[][] = [];
    const phases = [
      { name: "reads alone", hasReads: true, hasWrites: false },
      { name: "writes alone", hasReads: false, hasWrites: true },
      { name: "both", hasReads: true, hasWrites: true },
      { name: "reads alone, again", hasReads: true, hasWrites: false },
    ];
    for (const { name, hasReads, hasWrites } of phases) {
      const loads = [
        hasReads ? { ...reads(), seconds } : null,
        hasWrites ? { ...writes(perS * (seconds + 1)), seconds } : null,
      ];
      table.push([name, ...(await measure(site, dataDir, loads))]);
    }
    return {
      title: `Writes beside reads, ${perS} writes a second`,
      columns: [
        "load",
        "writes/s",
        "p50 ms",
        "p95 ms",
        "failures",
        "reads/s",
        "reads p50 ms",
        "reads p95 ms",
        "reads p99 ms",
        "failures of reads",
        "server, cores used",
        "database, cores used",
        "load generator, cores used",
      ],
      rows: table,
      isPartial: values.profile !== undefined,
      notes: [
        `Each ${seconds} s after 5 s to warm up; wrk on the same cores keeps the pace of ${perS} writes/s over 1,000 connections and ${readsPerS} reads/s over 16.`,
        "Writes: 45% begin a play, 45% end it, 5% likes, 5% impressions with a serve token. A response means that it is committed (synchronous_commit on).",
        `${videoCount} videos, few of them played often (Zipf), ${visitorCount} visitors, ${adCount} ads. Reads: pages, lists, videos, feed; with the response cache as it is.`,
        "Cores used: CPU time by the clock, of all processes of the part.",
      ],
    };
  } finally {
    await site.stop();
  }
}

const siteCpuMs = (pid: number) =>
  listSiteProcesses(pid).reduce((sum, each) => sum + cpuMs(each.pid), 0);

async function measure(
  site: Site,
  dataDir: string,
  [reads, writes]: (Parameters<typeof pacedLoad>[1] | null | undefined)[],
): Promise<(string | number)[]> {
  const usage = () => [
    performance.now(),
    siteCpuMs(site.pid),
    databaseCpuMs(dataDir),
    endedCpuMs(),
  ];
  const before = usage();
  const [read, write] = await Promise.all(
    [reads, writes].map(async (load) => (load == null ? null : pacedLoad(site.url, load))),
  );
  const [clock = 1, ...parts] = usage().map((value, at) => value - (before[at] ?? 0));
  const shown = (result: PacedResult | null | undefined, of: (keyof PacedResult)[]) =>
    of.map((key) => (result == null ? "" : key === "perS" ? Math.round(result[key]) : result[key]));
  return [
    ...shown(write, ["perS", "p50Ms", "p95Ms", "failures"]),
    ...shown(read, ["perS", "p50Ms", "p95Ms", "p99Ms", "failures"]),
    ...parts.map((ms) => ms / clock),
  ];
}

async function prepare(site: Site): Promise<Scene> {
  const cookie = await site.signIn();
  const created = z.object({ id: z.string() });
  const adIds: string[] = [];
  for (let at = 0; at < adCount; at += 1) {
    const response = await fetch(`${site.url}/api/ads`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ title: `Ad ${at}`, type: "banner", placement: "header" }),
    });
    adIds.push(created.parse(await response.json()).id);
  }
  const videos: Scene["videos"] = [];
  for (let offset = 0; offset < videoCount; offset += 100) {
    const response = await fetch(
      `${site.url}/api/videos?sort=most_viewed&limit=100&offset=${offset}`,
    );
    videos.push(...videoList.parse(await response.json()).videos);
  }
  const secret = await readSecret(site.dataDir);
  const serves = createServeTokens(secret, Date.now);
  const visitors = Array.from({ length: visitorCount }, (_, at) => {
    const id = newId();
    const signature = hmacSha256(secret, `visitor:${id}`).subarray(0, 16).toString("base64url");
    const address = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    return { id, cookie: `visitor=${id}.${signature}`, address };
  });
  return {
    videos: videos.map(({ id, slug }) => ({ id, slug })),
    visitors,
    adIds,
    createServe: (visitorId, adId) =>
      serves.create({ visitorId, placement: "header", adKeys: [adKey(adId)] }),
  };
}

/** Deletes the pending work of a generated site, and returns the secret that signs its tokens. */
async function readSecret(dataDir: string): Promise<KeyObject> {
  const logger = createLogger("error");
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 1, logger));
  try {
    await sql`delete from related_queue`.execute(db);
    return await getSecret(db, "cookies");
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

/** Draws from a Zipf distribution, so that a few items are drawn often. */
const drawPopular = <T>(list: readonly T[], random: Random): T => {
  const item = list[random.zipf(list.length)];
  if (item === undefined) throw new Error("nothing to draw from");
  return item;
};

function drawWrites(scene: Scene, random: Random, count: number): PacedRequest[] {
  const { videos, visitors, adIds } = scene;
  const requests: PacedRequest[] = [];
  const ends: PacedRequest[] = [];
  while (requests.length < count) {
    const { id, ...client } = random.pick(visitors);
    const chance = random.next();
    if (chance < 0.05) {
      const video = drawPopular(videos, random);
      requests.push({ method: "POST", path: `/api/videos/${video.id}/like`, ...client });
    } else if (chance < 0.1) {
      const ad = random.pick(adIds);
      const body = { serve: scene.createServe(id, ad), placement: "header" };
      requests.push({ method: "POST", path: `/api/spots/${ad}/impression`, ...client, body });
    } else if (chance < 0.55 || ends.length < 1000) {
      const path = `/api/videos/${drawPopular(videos, random).id}/watch`;
      const play = { method: "POST", path, ...client } as const;
      requests.push({ ...play, body: { watchTime: 0, completed: false } });
      ends.push({ ...play, body: { watchTime: 5 + random.below(60), completed: chance < 0.3 } });
    } else requests.push(...ends.splice(0, 1));
  }
  return requests;
}

function drawReads({ videos, visitors }: Scene, random: Random): PacedRequest[] {
  const pages = ["/home", "/trending", "/api/videos?limit=12", "/api/feed?limit=10"];
  return Array.from({ length: 5000 }, () => {
    const { slug } = drawPopular(videos, random);
    const path = random.pick([
      ...pages,
      `/video/${slug}`,
      `/api/videos/${slug}`,
      `/api/videos?sort=newest&limit=12&offset=${random.below(100) * 12}`,
    ]);
    return { method: "GET", path, address: random.pick(visitors).address };
  });
}
