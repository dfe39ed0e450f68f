import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { videoList } from "#contract/videos/videos.ts";
import { startSite } from "#test/harness/server-process.ts";
import { seedSite } from "./seed.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { load, type LoadResult } from "./support/load.ts";

const videoCount = 1000;
const seconds = 5;

/**
 * Measures the home page, a video page and the newest list, warm and uncached. Compares them with a
 * raw `node:http` server that sends the same bytes in the same run.
 */
export async function run(): Promise<BenchTable> {
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-"));
  const rows: (string | number)[][] = [];
  try {
    await seedSite({ DATA_DIR: dataDir }, videoCount);
    const warm = await startSite({ dataDir });
    const newest = videoList.parse(await (await fetch(`${warm.url}/api/videos`)).json());
    const paths = {
      "newest list": "/api/videos",
      "home page": "/home",
      "video page": `/video/${newest.videos[0]?.slug ?? ""}`,
    };
    const cached: LoadResult[] = [];
    const bodies: { body: Buffer; type: string }[] = [];
    for (const path of Object.values(paths)) {
      const response = await fetch(warm.url + path);
      const type = response.headers.get("content-type") ?? "";
      bodies.push({ body: Buffer.from(await response.arrayBuffer()), type });
      await load(warm.url + path, 1);
      cached.push(await load(warm.url + path, seconds));
    }
    await warm.stop();
    const cold = await startSite({ dataDir, env: { RESPONSE_CACHE: "0" } });
    for (const [at, [name, path]] of Object.entries(paths).entries()) {
      const [hot, response] = [cached[at], bodies[at]];
      if (hot === undefined || response === undefined) continue;
      await load(cold.url + path, 2);
      const uncached = await load(cold.url + path, seconds);
      const raw = await measureRaw(response.body, response.type);
      rows.push([
        ...[name, Math.round(response.body.length / 1024)],
        ...[Math.round(hot.requestsPerS), hot.p99Ms],
        ...[Math.round(raw.requestsPerS), hot.requestsPerS / raw.requestsPerS],
        ...[Math.round(uncached.requestsPerS), uncached.p50Ms],
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
      ...["what", "KB", "warm req/s", "warm p99 ms", "raw req/s", "warm / raw"],
      ...["uncached req/s", "uncached p50 ms", "failures"],
    ],
    rows,
    notes: [
      `${videoCount} videos in the database; wrk with 1 thread and 32 connections for ${seconds} s each, no compression asked for.`,
      "Warm: the response cache as it is. Uncached: RESPONSE_CACHE=0, every request queries the database and renders the page.",
    ],
  };
}

const rawServer = `
  let body = [];
  process.stdin.on("data", (chunk) => body.push(chunk)).on("end", () => {
    body = Buffer.concat(body);
    const head = { "content-type": process.argv[1], "content-length": body.length };
    const server = require("http").createServer((q, r) => { r.writeHead(200, head); r.end(body); });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));
  });`;

/** Measures a bare server in a separate process that sends these bytes: the machine's limit. */
async function measureRaw(body: Buffer, contentType: string): Promise<LoadResult> {
  const child = spawn(process.execPath, ["-e", rawServer, contentType], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    child.stdin.end(body);
    const printed: unknown[] = await once(child.stdout, "data");
    const url = `http://127.0.0.1:${String(printed[0]).trim()}/`;
    await load(url, 1);
    return await load(url, seconds);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}
