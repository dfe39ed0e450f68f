import type { Given } from "#server/lib/command-line.mjs";
import { videoList } from "#contract/videos/videos.ts";
import { toConnectionString } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { createLogger } from "#server/lib/logger.ts";
import { startSite, type Site } from "#test/harness/server-process.ts";
import { columnsBySize, listCalls, measure } from "./lists.ts";
import { keptCatalogue, limitP95Ms } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { cpuMs, databaseCpuMs } from "./support/cpu-time.ts";
import { load } from "./support/load.ts";
import { percentile } from "./support/visit.ts";

/** Number of different requests of each call. */
const pathCount = 1000;
/** Calls of `lists` that are measured under load as well. */
const listNames = [
  "newest",
  "search, one word",
  "search, two words",
  "search, a typo",
  ...["newest", "most_viewed", "top_rated", "trending"].map((sort) => `a tag, ${sort}`),
];

export const options = {
  videos: { value: "COUNT,...", help: "sizes of the catalogue, by default 100000" },
  seconds: { value: "COUNT", help: "duration of each call, by default 6" },
  only: { value: "TEXT", help: "only calls whose name contains it" },
};

/**
 * Measures the cost of a request without the response cache: `npm run bench -- uncached [--videos
 * 100000,1000000] [--seconds 6] [--only TEXT]`. Uses the catalogues of `lists`.
 */
export async function run(given: Given): Promise<BenchTable> {
  const values = { videos: "100000", seconds: "6", only: "", ...given.values };
  const rows = new Map<string, (string | number)[]>();
  const sizes = values.videos.split(",");
  for (const videos of sizes) {
    const dataDir = await keptCatalogue(videos);
    // A separate database, to measure its processor time, and jobs don't run.
    const engine = await startEngine({ dataDir, logger: createLogger("error") });
    const DATABASE_URL = toConnectionString(engine.target);
    const env = { ROLE: "web", DATABASE_URL, RESPONSE_CACHE: "0" };
    const site = await startSite({ dataDir, env });
    try {
      for (const [name, paths] of Object.entries(await listPaths(site.url))) {
        if (!name.includes(values.only)) continue;
        const cells = await measureCall(site, paths, Number(values.seconds));
        const held = (cells.at(-1) ?? 0) <= limitP95Ms(videos) ? "yes" : "NO";
        rows.set(name, [...(rows.get(name) ?? [name]), ...cells, held]);
      }
    } finally {
      await site.stop();
      await engine.stop();
    }
  }
  return {
    title: "Requests without the response cache",
    columns: [
      "call",
      ...columnsBySize(sizes, [
        ...["server CPU ms", "database CPU ms", "requests/s", "p50 ms alone", "p95 ms alone"],
      ]),
    ],
    rows: [...rows.values()],
    isPartial: values.only !== "",
    notes: [
      `RESPONSE_CACHE=0; CPU per request and requests/s with 32 connections of wrk on the same cores, after 2 s to warm up; alone: 200 requests one after another.`,
      `Up to ${pathCount} different addresses of each call, at random. Related lists exist already.`,
      "CPU of the database: all its processes, from /proc. Jobs don't run.",
    ],
  };
}

async function measureCall(site: Site, paths: string[], seconds: number): Promise<number[]> {
  await load(site.url, 2, paths);
  const read = () => ({ server: cpuMs(site.pid), database: databaseCpuMs(site.dataDir) });
  const before = read();
  const { requests, requestsPerS, failures } = await load(site.url, seconds, paths);
  const after = read();
  if (failures > 0) throw new Error(`${paths[0]}: ${failures} failures`);
  const times = await measure(site.url, (n) => paths[(n * 7919) % paths.length] ?? "", 200);
  return [
    (after.server - before.server) / requests,
    (after.database - before.database) / requests,
    Math.round(requestsPerS),
    percentile(times, 50),
    percentile(times, 95),
  ];
}

/** Returns the addresses of each call. */
async function listPaths(url: string): Promise<Record<string, string[]>> {
  const calls = await listCalls(url);
  const numbers = Array.from({ length: pathCount }, (_, n) => n);
  const slugs: string[] = [];
  for (let offset = 0; offset < pathCount; offset += 100) {
    const response = await fetch(`${url}/api/videos?limit=100&offset=${offset}`);
    const { videos } = videoList.parse(await response.json());
    slugs.push(...videos.map(({ slug }) => slug));
  }
  const related = slugs.map((slug) => `/api/videos/${slug}/related`);
  // The first request of a related list computes it.
  for (const path of related) await (await fetch(url + path)).arrayBuffer();
  return {
    ...Object.fromEntries(
      listNames.map((name) => [name, numbers.map((n) => calls[name]?.(n) ?? "")]),
    ),
    "one video": slugs.map((slug) => `/api/videos/${slug}`),
    "feed, 10": ["/api/feed?limit=10"],
    related,
    "/home": ["/home"],
    "video page": slugs.map((slug) => `/video/${slug}`),
    "/ with an unknown query": numbers.map((n) => `/?unknown=${n}`),
  };
}
