import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { z } from "zod";
import { videoList } from "../src/contract/videos.ts";
import { startEngine } from "../src/server/db/engine/engine.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { root, startSite } from "../test/harness/server-process.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { cpuMs, databaseCpuMs } from "./support/cpu-time.ts";
import { load } from "./support/load.ts";

interface Call {
  name: string;
  /** Of one server: the site, or the floor. */
  server: Server;
  paths: string[];
}

interface Server {
  url: string;
  pid: number;
  /** The largest delay of its event loop since the last call, in ms; null if it is not measured. */
  takeLoopDelayMs(): Promise<number | null>;
}

/** So many different videos are asked for. */
const videoCount = 10_000;

/**
 * What a request costs without the response cache: `npm run bench -- uncached [--videos 100000]
 * [--seconds 6] [--only TEXT] [--profile FOLDER]`. The catalogue is that of `lists`.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      seconds: { type: "string", default: "6" },
      /** Only calls whose name holds this. */
      only: { type: "string", default: "" },
      "data-dir": { type: "string" },
      /** Where a CPU profile of the server goes. */
      profile: { type: "string" },
    },
  });
  const dataDir = values["data-dir"] ?? join(tmpdir(), `kinora-bench-lists-${values.videos}`);
  if (!existsSync(join(dataDir, "postgres"))) {
    await seedSite({ DATA_DIR: dataDir }, { videos: Number(values.videos), seed: 1 });
  }
  const scratch = await mkdtemp(join(tmpdir(), "kinora-uncached-"));
  const delayFile = join(scratch, "loop-delay");
  const site = await startSite({
    dataDir,
    entry: "bench/support/measured-server.ts",
    env: {
      RESPONSE_CACHE: "0",
      LOOP_DELAY_FILE: delayFile,
      NODE_OPTIONS:
        values.profile === undefined ? "" : `--cpu-prof --cpu-prof-dir=${values.profile}`,
    },
  });
  const floor = await startFloor(dataDir);
  try {
    const server: Server = {
      ...site,
      async takeLoopDelayMs() {
        await rm(delayFile, { force: true });
        process.kill(site.pid, "SIGUSR2");
        while (!existsSync(delayFile)) await wait(20);
        return Number(readFileSync(delayFile, "utf8"));
      },
    };
    const calls = (await listCalls(server, floor)).filter(({ name }) => name.includes(values.only));
    const rows: (string | number)[][] = [];
    for (const call of calls) rows.push(await measure(call, dataDir, Number(values.seconds)));
    return {
      title: `Requests without the response cache, ${values.videos} videos`,
      columns: [
        "call",
        "server CPU ms",
        "database CPU ms",
        "requests/s",
        "p50 ms alone",
        "p95 ms alone",
        "longest loop delay ms",
      ],
      rows,
      isPartial: values.only !== "" || values.profile !== undefined,
      notes: [
        "RESPONSE_CACHE=0; CPU per request and requests/s with 32 connections of wrk on the same cores, after 2 s to warm up; alone: 200 requests one after another.",
        `One video, its page and related: ${videoCount} different ones at random.`,
        "CPU of the database: all its processes, from /proc. Loop delay: the histogram of perf_hooks in the server, during the load.",
        "Floor: node:http, one prepared statement of pg, JSON.stringify of the rows; no labels, no total.",
      ],
    };
  } finally {
    await floor.stop();
    await site.stop();
    await rm(scratch, { recursive: true });
  }
}

async function measure(
  { name, server, paths }: Call,
  dataDir: string,
  seconds: number,
): Promise<(string | number)[]> {
  // The first ranking of the feed takes longer than the warm-up.
  await (await fetch(server.url + (paths[0] ?? ""))).arrayBuffer();
  await load(server.url, 2, paths);
  await server.takeLoopDelayMs();
  const before = { server: cpuMs(server.pid), database: databaseCpuMs(dataDir) };
  const { requests, requestsPerS, failures } = await load(server.url, seconds, paths);
  const after = { server: cpuMs(server.pid), database: databaseCpuMs(dataDir) };
  const delayMs = await server.takeLoopDelayMs();
  if (failures > 0) throw new Error(`${name}: ${failures} responses were no success`);
  const times: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(server.url + (paths[(n * 7919) % paths.length] ?? ""));
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return [
    name,
    (after.server - before.server) / requests,
    (after.database - before.database) / requests,
    Math.round(requestsPerS),
    times[100] ?? 0,
    times[190] ?? 0,
    delayMs ?? "",
  ];
}

async function listCalls(site: Server, floor: Server): Promise<Call[]> {
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    schema.parse(await (await fetch(site.url + path)).json());
  const slugs: string[] = [];
  const words = new Set<string>();
  for (let offset = 0; offset < videoCount; offset += 100) {
    const { videos } = await read(`/api/videos?limit=100&offset=${offset}`, videoList);
    for (const { slug, title } of videos) {
      slugs.push(slug);
      for (const word of title.split(/[^\p{L}]+/u)) if (word.length > 4) words.add(word);
    }
  }
  const ofVideos = (before: string, after = "") => slugs.map((slug) => before + slug + after);
  const newest = ["/api/videos?limit=12"];
  const calls: [string, string[]][] = [
    ["newest list, 12", newest],
    ["one video", ofVideos("/api/videos/")],
    ["feed, 10", ["/api/feed?limit=10"]],
    ["related", ofVideos("/api/videos/", "/related")],
    [
      "search, one word",
      [...words].map((word) => `/api/videos?search=${encodeURIComponent(word)}`),
    ],
    ["/home", ["/home"]],
    ["video page", ofVideos("/video/")],
    ["/ with an unknown query", Array.from({ length: 1000 }, (_, n) => `/?unknown=${n}`)],
  ];
  return [
    { name: "floor: 12 rows", server: floor, paths: ["/newest?12"] },
    { name: "floor: one row by slug", server: floor, paths: ofVideos("/one?") },
    ...calls.map(([name, paths]) => ({ name, server: site, paths })),
  ];
}

async function startFloor(dataDir: string): Promise<Server & { stop(): Promise<void> }> {
  const engine = await startEngine({ dataDir, logger: createLogger("error") });
  const { socketDir, password } = engine.target;
  const child = spawn(process.execPath, ["bench/support/floor-server.ts", socketDir, password], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: unknown[] = await once(child.stdout, "data");
  return {
    url: `http://127.0.0.1:${String(said[0]).trim()}`,
    pid: child.pid ?? 0,
    takeLoopDelayMs: async () => null,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await engine.stop();
    },
  };
}
