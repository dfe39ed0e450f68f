import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { videoList } from "#contract/videos/videos.ts";
import { startSite } from "#test/harness/server-process.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { keptCatalogue } from "./support/kept-catalogue.ts";
import { cpuMs, databaseCpuMs, endedCpuMs } from "./support/cpu-time.ts";
import { load } from "./support/load.ts";
import { listSiteProcesses, memoryMb } from "./support/site-processes.ts";

const processCounts = [1, 2];

interface Run {
  dataDir: string;
  seconds: number;
  webProcesses: number;
  /** True to use the response cache. */
  isCached: boolean;
}

/**
 * Throughput with several web processes: `npm run bench -- cores [--videos 10000] [--seconds 6]`.
 * Uses the catalogue of `lists`.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "10000" },
      seconds: { type: "string", default: "6" },
    },
  });
  const dataDir = await keptCatalogue(values.videos);
  const rows: (string | number)[][] = [];
  const memory: string[] = [];
  for (const isCached of [true, false]) {
    for (const webProcesses of processCounts) {
      const shared = { dataDir, seconds: Number(values.seconds), webProcesses, isCached };
      const measured = await measure(shared);
      rows.push(...measured.rows);
      memory.push(`${webProcesses} (cache ${isCached ? "on" : "off"}): ${measured.memory}`);
    }
  }
  return {
    title: `Web processes, ${values.videos} videos`,
    columns: [
      "call",
      "web processes",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "site, cores used",
      "database, cores used",
      "load generator, cores used",
      "server CPU ms",
      "failures",
    ],
    rows: rows.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    notes: [
      "wrk with 1 thread and 32 connections, on the same cores as the site and its database, after 2 s to warm up. Cores used: CPU time by the clock.",
      "Cached: the response cache as it is. Uncached: RESPONSE_CACHE=0. One video: 1,000 different ones at random.",
      "On a busy machine compare the CPU time of a request; requests/s say little.",
      `Memory after the load, shared pages by their part. Web processes ${memory.join("; ")}.`,
    ],
  };
}

async function measure({ dataDir, seconds, webProcesses, isCached }: Run) {
  let output = "";
  const site = await startSite({
    dataDir,
    env: {
      WEB_PROCESSES: String(webProcesses),
      RESPONSE_CACHE: isCached ? "1" : "0",
      LOG_LEVEL: "info",
    },
    onOutput: (text) => {
      output += text;
    },
  });
  try {
    while (output.split("Server listening").length <= webProcesses) await wait(50);
    const pids = listSiteProcesses(site.pid);
    const usage = () => ({
      ms: performance.now(),
      site: pids.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
      database: databaseCpuMs(dataDir),
      generator: endedCpuMs(),
    });
    const rows: (string | number)[][] = [];
    for (const [name, paths] of await listCalls(site.url, isCached)) {
      await load(site.url, 2, paths);
      const before = usage();
      const result = await load(site.url, seconds, paths);
      const after = usage();
      const coresOf = (part: "site" | "database" | "generator") =>
        (after[part] - before[part]) / (after.ms - before.ms);
      rows.push([
        name,
        webProcesses,
        Math.round(result.requestsPerS),
        result.p50Ms,
        result.p99Ms,
        coresOf("site"),
        coresOf("database"),
        coresOf("generator"),
        (after.site - before.site) / result.requests,
        result.failures,
      ]);
    }
    const memory = listSiteProcesses(site.pid)
      .map(({ pid, kind }) => `${kind} ${Math.round(memoryMb(pid))} MB`)
      .join(", ");
    return { rows, memory };
  } finally {
    await site.stop();
  }
}

async function listCalls(url: string, isCached: boolean): Promise<[string, string[]][]> {
  if (isCached) return [["cached: /home", ["/home"]]];
  const slugs: string[] = [];
  for (let offset = 0; offset < 1000; offset += 100) {
    const response = await fetch(`${url}/api/videos?limit=100&offset=${offset}`);
    slugs.push(...videoList.parse(await response.json()).videos.map(({ slug }) => slug));
  }
  return [
    ["uncached: newest list, 12", ["/api/videos?limit=12"]],
    ["uncached: one video", slugs.map((slug) => `/api/videos/${slug}`)],
  ];
}
