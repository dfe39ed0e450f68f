import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { labelItem } from "#contract/lists/labels.ts";
import { videoList } from "#contract/videos/videos.ts";
import { toConnectionString, type SocketTarget } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { createLogger } from "#server/lib/logger.ts";
import { root, startSite } from "#test/harness/server-process.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { keptCatalogue, limitP95Ms } from "./support/kept-catalogue.ts";
import { cpuMs, databaseCpuMs } from "./support/cpu-time.ts";
import { load } from "./support/load.ts";

interface Call {
  name: string;
  /** The site, or the server used as the floor. */
  server: Server;
  paths: string[];
  /** True to request every path once before the measurement. */
  isKept?: boolean;
}

interface Server {
  url: string;
  pid: number;
  isFloor: boolean;
  /**
   * Returns the largest event loop delay in ms since the last call, or null if it isn't measured.
   */
  takeLoopDelayMs(): Promise<number | null>;
}

/** Number of different videos requested. */
const videoCount = 10_000;
/**
 * Number of videos whose related lists are requested. The lists are computed before the
 * measurement.
 */
const relatedCount = 1000;

/**
 * Measures the cost of a request without the response cache: `npm run bench -- uncached [--videos
 * 100000,1000000] [--seconds 6] [--only TEXT] [--profile FOLDER]`. Uses the catalogues of `lists`.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      seconds: { type: "string", default: "6" },
      /** Only calls whose name contains this text. */
      only: { type: "string", default: "" },
      "data-dir": { type: "string" },
      /** Folder for a CPU profile of the server. */
      profile: { type: "string" },
    },
  });
  const sizes = values.videos.split(",");
  const rows: (string | number)[][] = [];
  for (const videos of sizes) {
    const dataDir = values["data-dir"] ?? (await keptCatalogue(videos));
    const limitMs = limitP95Ms(videos);
    const options = { ...values, seconds: Number(values.seconds), limitMs };
    for (const row of await measureSite(dataDir, options)) rows.push([videos, ...row]);
  }
  return {
    title: "Requests without the response cache",
    columns: [
      "videos",
      "call",
      "server CPU ms",
      "database CPU ms",
      "requests/s",
      "p50 ms alone",
      "p95 ms alone",
      "longest loop delay ms",
      "p95 limit",
      "held",
    ],
    rows,
    isPartial: values.only !== "" || values.profile !== undefined,
    notes: [
      "RESPONSE_CACHE=0; CPU per request and requests/s with 32 connections of wrk on the same cores, after 2 s to warm up; alone: 200 requests one after another.",
      `One video: ${videoCount} different ones at random. Its page and related: ${relatedCount}, after their first visits. Labels and words: as many as there are.`,
      "The process only serves: jobs run elsewhere, and do not run here.",
      "CPU of the database: all its processes, from /proc. Loop delay: the histogram of perf_hooks in the server, during the load.",
      "Floor: node:http, one prepared statement of pg, JSON.stringify of the rows; no labels, no total.",
    ],
  };
}

/** One row for each call. */
async function measureSite(
  dataDir: string,
  values: { seconds: number; limitMs: number; only: string; profile?: string | undefined },
): Promise<(string | number)[][]> {
  const scratch = await mkdtemp(join(tmpdir(), "kinora-uncached-"));
  const delayFile = join(scratch, "loop-delay");
  const engine = await startEngine({ dataDir, logger: createLogger("error") });
  const site = await startSite({
    dataDir,
    entry: "bench/support/measured-server.ts",
    env: {
      ROLE: "web",
      DATABASE_URL: toConnectionString(engine.target),
      RESPONSE_CACHE: "0",
      LOOP_DELAY_FILE: delayFile,
      NODE_OPTIONS:
        values.profile === undefined ? "" : `--cpu-prof --cpu-prof-dir=${values.profile}`,
    },
  });
  const floor = await startFloor(engine.target);
  try {
    const server: Server = {
      ...site,
      isFloor: false,
      async takeLoopDelayMs() {
        await rm(delayFile, { force: true });
        process.kill(site.pid, "SIGUSR2");
        while (!existsSync(delayFile)) await wait(20);
        return Number(readFileSync(delayFile, "utf8"));
      },
    };
    const calls = (await listCalls(server, floor)).filter(({ name }) => name.includes(values.only));
    const rows: (string | number)[][] = [];
    for (const call of calls) rows.push(await measure(call, dataDir, values));
    return rows;
  } finally {
    await floor.stop();
    await site.stop();
    await engine.stop();
    await rm(scratch, { recursive: true });
  }
}

async function measure(
  { name, server, paths, isKept = false }: Call,
  dataDir: string,
  { seconds, limitMs }: { seconds: number; limitMs: number },
): Promise<(string | number)[]> {
  // The first ranking of the feed takes longer than the warm-up.
  for (const path of isKept ? paths : paths.slice(0, 1)) {
    await (await fetch(server.url + path)).arrayBuffer();
  }
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
  const databaseMs = (after.database - before.database) / requests;
  const p95Ms = times[190] ?? 0;
  return [
    name,
    (after.server - before.server) / requests,
    databaseMs,
    Math.round(requestsPerS),
    times[100] ?? 0,
    p95Ms,
    delayMs ?? "",
    server.isFloor ? "" : limitMs,
    server.isFloor ? "" : p95Ms <= limitMs ? "yes" : "NO",
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
  const searches = (of: (word: string, n: number) => string) =>
    [...words].map((word, n) => `/api/videos?search=${encodeURIComponent(of(word, n))}`);
  const wordList = [...words];
  const tags = (await read("/api/tags", z.array(labelItem))).filter((tag) => tag.videoCount > 0);
  const byTag = (sort: string) => tags.map(({ slug }) => `/api/videos?tag=${slug}&sort=${sort}`);
  const calls: [string, string[]][] = [
    ["newest list, 12", ["/api/videos?limit=12"]],
    ["one video", ofVideos("/api/videos/")],
    ["feed, 10", ["/api/feed?limit=10"]],
    ["related", ofVideos("/api/videos/", "/related").slice(0, relatedCount)],
    ["search, one word", searches((word) => word)],
    [
      "search, two words",
      searches((word, n) => `${word} ${wordList[(n * 7) % wordList.length] ?? ""}`),
    ],
    [
      "search, a typo",
      searches((word) => word.slice(0, 2) + (word[3] ?? "") + (word[2] ?? "") + word.slice(4)),
    ],
    ["a tag, newest", byTag("newest")],
    ["a tag by views", byTag("most_viewed")],
    ["a tag by rating", byTag("top_rated")],
    ["a tag, trending", byTag("trending")],
    ["/home", ["/home"]],
    ["video page", ofVideos("/video/").slice(0, relatedCount)],
    ["/ with an unknown query", Array.from({ length: 1000 }, (_, n) => `/?unknown=${n}`)],
  ];
  return [
    { name: "floor: 12 rows", server: floor, paths: ["/newest?12"] },
    { name: "floor: one row by slug", server: floor, paths: ofVideos("/one?") },
    ...calls.map(([name, paths]) => ({
      name,
      server: site,
      paths,
      isKept: name === "related",
    })),
  ];
}

async function startFloor({
  socketDir,
  password,
}: SocketTarget): Promise<Server & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["bench/support/floor-server.ts", socketDir, password], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: unknown[] = await once(child.stdout, "data");
  return {
    url: `http://127.0.0.1:${String(said[0]).trim()}`,
    pid: child.pid ?? 0,
    isFloor: true,
    takeLoopDelayMs: async () => null,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
