import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { videoList } from "#contract/videos/videos.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { createLogger } from "#server/lib/logger.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { seedRows } from "../demo/seed-rows.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { load } from "./support/load.ts";
import { measureRaw } from "./support/raw-server.ts";
import { startSite } from "#test/harness/server-process.ts";

const videoCount = 1000;
const seconds = 5;

/** Fills a data directory before a server starts on it. */
async function seed(dataDir: string): Promise<void> {
  const logger = createLogger("warn");
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 4, logger));
  await migrateToLatest(db);
  await seedRows(db, { videos: videoCount, seed: 1 });
  await db.destroy();
  await engine.stop();
}

/**
 * Measures the home page, a video page and the newest list, warm and uncached. Compares them with a
 * raw `node:http` server that sends the same bytes in the same run.
 */
export async function run(): Promise<BenchTable> {
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-"));
  await seed(dataDir);
  const rows: (string | number)[][] = [];
  try {
    const warm = await startSite({ dataDir });
    const newest = videoList.parse(await (await fetch(`${warm.url}/api/videos`)).json());
    const slug = newest.videos[0]?.slug ?? "";
    const paths = {
      "newest list": "/api/videos",
      "home page": "/home",
      "video page": `/video/${slug}`,
    };
    const cached = new Map<string, Awaited<ReturnType<typeof load>>>();
    const bodies = new Map<string, { body: Buffer; type: string }>();
    for (const [name, path] of Object.entries(paths)) {
      const response = await fetch(warm.url + path);
      const body = Buffer.from(await response.arrayBuffer());
      bodies.set(name, { body, type: response.headers.get("content-type") ?? "" });
      await load(warm.url + path, 1);
      cached.set(name, await load(warm.url + path, seconds));
    }
    await warm.stop();
    const cold = await startSite({ dataDir, env: { RESPONSE_CACHE: "0" } });
    for (const [name, path] of Object.entries(paths)) {
      await load(cold.url + path, 2);
      const uncached = await load(cold.url + path, seconds);
      const { body, type } = bodies.get(name) ?? { body: Buffer.alloc(0), type: "" };
      const raw = await measureRaw(body, type, seconds);
      const hot = cached.get(name);
      if (hot === undefined) continue;
      rows.push([
        name,
        Math.round(body.length / 1024),
        Math.round(hot.requestsPerS),
        hot.p99Ms,
        Math.round(raw.requestsPerS),
        hot.requestsPerS / raw.requestsPerS,
        Math.round(uncached.requestsPerS),
        uncached.p50Ms,
        hot.failures + uncached.failures,
      ]);
    }
    await cold.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    title: "Pages and lists beside a raw node:http server with the same bytes",
    columns: [
      "what",
      "KB",
      "warm req/s",
      "warm p99 ms",
      "raw req/s",
      "warm / raw",
      "uncached req/s",
      "uncached p50 ms",
      "failures",
    ],
    rows,
    notes: [
      `${videoCount} videos in the database; wrk with 1 thread and 32 connections for ${seconds} s each, no compression asked for.`,
      "Warm: the response cache as it is. Uncached: RESPONSE_CACHE=0, every request queries the database and renders the page.",
    ],
  };
}
