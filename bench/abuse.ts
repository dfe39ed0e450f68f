import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { startSite, type Site } from "#test/harness/server-process.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { floods } from "./support/floods.ts";

const videoBytes = 4 * 1024 * 1024;
const catalogueSize = 2000;
const samples = 60;
const videoPath = "/media/public/bench/video.mp4";

/** Returns the milliseconds until the first byte of the body. */
function firstByteMs(url: string, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    // Uses no agent: each measurement opens a new connection, as a visitor would.
    const call = request(url, { headers, agent: false }, (response) => {
      response.once("data", () => {
        resolve(performance.now() - startedAt);
        response.destroy();
      });
      response.once("end", () => reject(new Error(`no body from ${url}`)));
    });
    call.on("error", reject);
    call.end();
  });
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < samples; n += 1) times.push(await measure());
  return times.toSorted((a, b) => a - b)[Math.floor(samples / 2)] ?? 0;
}

const measureBoth = async ({ url }: Pick<Site, "url">) => ({
  video: await median(() => firstByteMs(url + videoPath, { range: "bytes=0-65535" })),
  health: await median(() => firstByteMs(`${url}/healthz`)),
});

/**
 * Measures latency for visitors while one client attacks, and compares it with the same load
 * without the attack. Fails above a factor of three. `npm run bench -- abuse [--only TEXT]`
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({ args, options: { only: { type: "string", default: "" } } });
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-abuse-"));
  await seedSite({ DATA_DIR: dataDir }, { videos: catalogueSize, seed: 1 });
  const storage = createLocalStorage({ root: join(dataDir, "storage") });
  await storage.putBytes(videoPath.replace("/media/", ""), randomBytes(videoBytes));
  // Write limits would stop some floods at once. This bench measures the bounds behind them.
  const site = await startSite({
    dataDir,
    env: { ROLE: "web", WRITE_LIMITS: "0", LOG_LEVEL: "silent" },
  });
  try {
    // A server that has just started is slow for its first few hundred requests.
    for (let n = 0; n < 5; n += 1) await measureBoth(site);
    const rows: (string | number)[][] = [];
    for (const name of Object.keys(floods).filter((each) => each.includes(values.only))) {
      const quiet = await measureBoth(site);
      const attacker = fork(new URL("./support/floods.ts", import.meta.url), [name, site.url]);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const loud = await measureBoth(site);
      attacker.kill();
      await once(attacker, "exit");
      rows.push([
        name,
        ...[quiet.video, loud.video, loud.video / quiet.video],
        ...[quiet.health, loud.health, loud.health / quiet.health],
      ]);
    }
    return {
      title: "What visitors feel during a flood",
      columns: [
        "flood by one client",
        "first byte of a video without, ms",
        "with, ms",
        "times",
        "/healthz without, ms",
        "with, ms",
        "times",
      ],
      rows,
      isPartial: values.only !== "",
      notes: [
        `Medians of ${samples} requests, each on a new connection. At most 3 times the quiet value is wanted.`,
        "The first row is the floor: a response from memory to an ordinary request. No refusal is cheaper.",
        "A request for many ranges gets the whole file, as HTTP allows: that row is 16 downloads over the loopback interface.",
        "Server, database, attacker and visitor share the processors of this machine, and attacker and visitor one address.",
        `WRITE_LIMITS=0: the limits of writes would end some floods at once, so the bounds behind them are measured. ${catalogueSize} videos.`,
      ],
    };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
