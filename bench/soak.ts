import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { adPlacements } from "#ads/contract/ads.ts";
import { videoList } from "#contract/videos/videos.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { startSite, type Site } from "#test/harness/server-process.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { cpuMs } from "./support/cpu-time.ts";
import { listSiteProcesses, memoryMb } from "./support/site-processes.ts";
import { startSoakLoad } from "./support/soak-load.ts";
import { percentile } from "./support/visit.ts";

const videoCount = 47;
const videoBytes = 8 * 1024 * 1024;

const memory = z.object({
  rss: z.number(),
  heapUsed: z.number(),
  heapTotal: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
});

/**
 * Measures memory under a steady mixed load: `npm run bench -- soak [--minutes 20] [--per-second
 * 200] [--web-processes 2]`. Prints a row each minute.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "20" },
      "per-second": { type: "string", default: "200" },
      "web-processes": { type: "string", default: "1" },
    },
  });
  const minutes = Number(values.minutes);
  const webProcesses = Number(values["web-processes"]);
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-soak-"));
  await seedSite({ DATA_DIR: dataDir }, { videos: videoCount, seed: 1 });
  const site =
    webProcesses === 1 ? await startMeasured(dataDir) : await startSeveral(dataDir, webProcesses);
  try {
    const load = startSoakLoad(site.url, Number(values["per-second"]), await prepare(site));
    const rows: (string | number)[][] = [];
    const usedMb: number[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      const pids = listSiteProcesses(site.pid).map(({ pid }) => pid);
      const coresUsed = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0) / 60_000;
      const before = coresUsed();
      await wait(60_000);
      const { inAll, cells } = await site.measureMemory();
      usedMb.push(inAll);
      const { requests, failures, timesMs } = load.take();
      const row = [
        minute,
        ...cells,
        pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
        Math.round(requests / 60),
        percentile(timesMs, 50),
        percentile(timesMs, 99),
        coresUsed() - before,
        failures,
      ];
      process.stdout.write(`${row.map((cell) => Math.round(cell * 100) / 100).join("\t")}\n`);
      rows.push(row);
    }
    await load.stop();
    for (const [what, count] of load.failed) process.stdout.write(`${count} x ${what}\n`);
    const last = usedMb.slice(-Math.max(2, Math.ceil(minutes / 2)));
    return {
      title: `Memory under ${values["per-second"]} mixed requests a second, web processes: ${webProcesses}`,
      columns: [
        "minute",
        ...site.memoryColumns,
        "descriptors",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "cores used",
        "failures",
      ],
      rows,
      isPartial: minutes < 10,
      notes: [
        `Slope of ${site.memoryColumns[0]} over the last ${last.length} minutes: ${slope(last).toFixed(2)} MB a minute. Highest: ${Math.max(...usedMb)} MB.`,
        `${site.note} ${videoCount} videos with one file of 8 MB each, ${adPlacements.length} ads.`,
        "A quarter of the calls each: pages; lists, search and single videos; feed, watch reports and likes; ads and ranges of media. Every tenth visitor is new, with a new address.",
        "The load generator is another process on the same cores.",
      ],
    };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface SoakedSite extends Site {
  memoryColumns: string[];
  note: string;
  /** Total in MB, then the values of `memoryColumns`. */
  measureMemory(): Promise<{ inAll: number; cells: number[] }>;
}

/** Every visitor has a different address. */
const env = { TRUST_PROXY: "127.0.0.1" };
const round = (mb: number) => Math.round(mb * 10) / 10;

/** Starts one process for everything, so that its memory can be inspected. */
async function startMeasured(dataDir: string): Promise<SoakedSite> {
  const delayFile = join(dataDir, "loop-delay");
  const memoryFile = join(dataDir, "memory");
  const site = await startSite({
    dataDir,
    entry: "bench/support/measured-server.ts",
    env: { ...env, WEB_PROCESSES: "1", LOOP_DELAY_FILE: delayFile, MEMORY_FILE: memoryFile },
  });
  return {
    ...site,
    memoryColumns: [
      "RSS MB",
      "heap used",
      "heap",
      "external",
      "array buffers",
      "longest loop delay ms",
    ],
    note: "One process for everything, with jobs; the database apart. 1 MB is 1,000,000 bytes, from process.memoryUsage().",
    async measureMemory() {
      await rm(delayFile, { force: true });
      process.kill(site.pid, "SIGUSR2");
      while (!existsSync(delayFile)) await wait(20);
      const used = memory.parse(JSON.parse(readFileSync(memoryFile, "utf8")));
      const cells = [used.rss, used.heapUsed, used.heapTotal, used.external, used.arrayBuffers];
      const delayMs = Number(readFileSync(delayFile, "utf8"));
      return {
        inAll: round(used.rss / 1e6),
        cells: [...cells.map((b) => round(b / 1e6)), delayMs],
      };
    },
  };
}

/** Starts several web processes, one process for jobs, and the parent that starts them. */
async function startSeveral(dataDir: string, webProcesses: number): Promise<SoakedSite> {
  const site = await startSite({ dataDir, env: { ...env, WEB_PROCESSES: String(webProcesses) } });
  while (listSiteProcesses(site.pid).length < webProcesses + 2) await wait(50);
  const kinds = listSiteProcesses(site.pid).map(({ kind }) => kind);
  return {
    ...site,
    memoryColumns: ["MB in all", ...kinds],
    note: `${webProcesses} processes for the web, one for jobs, one that starts them; the database apart. Memory by process, shared pages by their part (Pss).`,
    async measureMemory() {
      const cells = listSiteProcesses(site.pid).map(({ pid }) => round(memoryMb(pid)));
      const inAll = round(cells.reduce((sum, mb) => sum + mb, 0));
      return { inAll, cells: [inAll, ...cells] };
    },
  };
}

/** Returns the slope by least squares, in units per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [above, below] = [0, 0];
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean);
    below += (at - middle) ** 2;
  }
  return above / below;
}

/** Gives each generated video a file, and each placement an ad. */
async function prepare(site: Site): Promise<{ slugs: string[]; ids: string[]; files: string[] }> {
  const headers = { cookie: await site.signIn(), "content-type": "application/json" };
  for (const placement of adPlacements) {
    const body = JSON.stringify({
      title: placement,
      type: "banner",
      placement,
      content: "<p>Ad</p>",
    });
    await fetch(`${site.url}/api/ads`, { method: "POST", headers, body });
  }
  const response = await fetch(`${site.url}/api/videos?limit=100`);
  const { videos } = videoList.parse(await response.json());
  const storage = createLocalStorage({ root: join(site.dataDir, "storage") });
  const files = videos.flatMap(({ videoUrl }) => videoUrl ?? []);
  for (const file of files) {
    await storage.putBytes(file.replace(/^\/media\//, ""), randomBytes(videoBytes));
  }
  return { slugs: videos.map(({ slug }) => slug), ids: videos.map(({ id }) => id), files };
}
