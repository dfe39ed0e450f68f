import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Given } from "#server/lib/command-line.mjs";
import { adPlacements } from "#ads/contract/ads.ts";
import { videoList } from "#contract/videos/videos.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { startSite, type Site } from "#test/harness/server-process.ts";
import { listSiteProcesses, memoryMb } from "#test/harness/site-processes.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { cpuMs } from "./support/cpu-time.ts";
import { startSoakLoad } from "./support/soak-load.ts";
import { percentile } from "./support/visit.ts";

const videoCount = 47;
const videoBytes = 8 * 1024 * 1024;

export const options = {
  minutes: { value: "COUNT", help: "duration, by default 20" },
  "per-second": { value: "COUNT", help: "requests per second, by default 200" },
  "web-processes": { value: "COUNT", help: "web processes, by default 1" },
};

/**
 * Measures memory under a steady mixed load: `npm run bench -- soak [--minutes 20] [--per-second
 * 200] [--web-processes 1]`. Prints a row each minute.
 */
export async function run(given: Given): Promise<BenchTable> {
  const values = { minutes: "20", "per-second": "200", "web-processes": "1", ...given.values };
  const minutes = Number(values.minutes);
  const webProcesses = Number(values["web-processes"]);
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-soak-"));
  await seedSite({ DATA_DIR: dataDir }, videoCount);
  const site = await startSite({
    dataDir,
    // Every visitor has a different address.
    env: { TRUST_PROXY: "127.0.0.1", WEB_PROCESSES: String(webProcesses) },
  });
  // With several processes, one more runs jobs and one starts them all.
  const count = webProcesses === 1 ? 1 : webProcesses + 2;
  while (listSiteProcesses(site.pid).length < count) await wait(50);
  const kinds = listSiteProcesses(site.pid).map(({ kind }) => kind);
  try {
    const load = startSoakLoad(site.url, Number(values["per-second"]), await prepare(site));
    const rows: (string | number)[][] = [];
    const usedMb: number[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      const pids = listSiteProcesses(site.pid).map(({ pid }) => pid);
      const coresUsed = () => sum(pids.map(cpuMs)) / 60_000;
      const before = coresUsed();
      await wait(60_000);
      const memory = pids.map(memoryMb);
      const { requests, failures, timesMs } = load.take();
      usedMb.push(sum(memory));
      const row = [
        ...[minute, sum(memory), ...memory],
        sum(pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
        ...[requests / 60, percentile(timesMs, 50), percentile(timesMs, 99)],
        ...[coresUsed() - before, failures],
      ].map((cell) => Math.round(cell * 100) / 100);
      process.stdout.write(`${row.join("\t")}\n`);
      rows.push(row);
    }
    await load.stop();
    for (const [what, failures] of load.failed) process.stdout.write(`${failures} x ${what}\n`);
    const last = usedMb.slice(-Math.max(2, Math.ceil(minutes / 2)));
    return {
      title: `Memory under ${values["per-second"]} mixed requests a second, web processes: ${webProcesses}`,
      columns: [
        ...["minute", "MB in all", ...kinds, "descriptors", "requests/s", "p50 ms", "p99 ms"],
        ...["cores used", "failures"],
      ],
      rows,
      isPartial: minutes < 10,
      notes: [
        `Slope of all memory over the last ${last.length} minutes: ${slope(last).toFixed(2)} MB a minute. Highest: ${Math.max(...usedMb).toFixed(1)} MB.`,
        `Memory of the site's processes, shared pages by their part (Pss); the database apart. ${videoCount} videos with one file of 8 MB each, ${adPlacements.length} ads.`,
        "A quarter of the calls each: pages; lists, search and single videos; feed, watch reports and likes; ads and ranges of media. Every tenth visitor is new, with a new address.",
        "The load generator is another process on the same cores.",
      ],
    };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the slope by least squares, in units per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  const above = sum(values.map((value, at) => (at - middle) * (value - mean)));
  return above / sum(values.map((_value, at) => (at - middle) ** 2));
}

/** Gives each generated video a file, and each placement an ad. */
async function prepare(site: Site): Promise<{ slugs: string[]; ids: string[]; files: string[] }> {
  const headers = { cookie: await site.signIn(), "content-type": "application/json" };
  for (const placement of adPlacements) {
    const ad = { title: placement, type: "banner", placement, content: "<p>Ad</p>" };
    await fetch(`${site.url}/api/ads`, { method: "POST", headers, body: JSON.stringify(ad) });
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
