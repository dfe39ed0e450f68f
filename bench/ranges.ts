import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDb, createPool } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { findFreePort, startSite } from "#test/harness/server-process.ts";

const exec = promisify(execFile);
const fileBytes = 48 * 1024 * 1024;
const rangeBytes = 1024 * 1024;
const seconds = 5;

/** Returns the MB/s of 1 MiB ranges, measured by wrk with 8 connections and one thread. */
async function measure(url: string, folder: string): Promise<number> {
  const script = join(folder, "ranges.lua");
  await writeFile(
    script,
    `local n = 0
     request = function()
       local first = (n * ${rangeBytes}) % ${fileBytes}
       n = n + 1
       return wrk.format("GET", nil, { Range = "bytes=" .. first .. "-" .. (first + ${rangeBytes - 1}) })
     end`,
  );
  const load = (s: number) => exec("wrk", ["-t1", "-c8", `-d${s}s`, "-s", script, url]);
  await load(1);
  const { stdout } = await load(seconds);
  const match = /Requests\/sec:\s+([\d.]+)/.exec(stdout);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return (Number(match?.[1] ?? 0) * rangeBytes) / 1e6;
}

/** Measures the same file behind nginx with sendfile, if nginx is installed. */
async function measureNginx(file: string, folder: string): Promise<number | null> {
  const port = await findFreePort();
  const config = join(folder, "nginx.conf");
  const root = join(folder, "www");
  await mkdir(root);
  await exec("ln", [file, join(root, "file.mp4")]);
  await writeFile(
    config,
    // If root starts nginx, its worker is another user, who can't read the temporary folder.
    `${process.getuid?.() === 0 ? "user root;" : ""} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 256; }
     http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = spawn("nginx", ["-c", config, "-p", folder], { stdio: "ignore" });
  const failed = new Promise<"missing">((resolve) => child.on("error", () => resolve("missing")));
  const started = (async () => {
    for (let tries = 0; tries < 60; tries += 1) {
      if (
        await fetch(`http://127.0.0.1:${port}/file.mp4`, { method: "HEAD" }).then(
          (a) => a.ok,
          () => false,
        )
      )
        return "ok";
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return "missing";
  })();
  if ((await Promise.race([failed, started])) === "missing") return null;
  try {
    return await measure(`http://127.0.0.1:${port}/file.mp4`, folder);
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

/** Measures ranges of 1 MiB of a 48 MB video, from Kinora and from nginx in the same run. */
export async function run(): Promise<BenchTable> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-bench-ranges-"));
  const dataDir = join(folder, "data");
  try {
    const logger = createLogger("warn");
    const engine = await startEngine({ dataDir, logger });
    const db = createDb(createPool(engine.target, 2, logger));
    await migrateToLatest(db);
    const key = "v/bench-token/file.mp4";
    await db
      .insertInto("videos")
      .values({
        id: newId(),
        slug: "bench",
        title: "Bench",
        status: "ready",
        is_published: true,
        published_at: new Date(),
        media_token: "bench-token",
        progressive_key: key,
        progress: 1,
      })
      .execute();
    await db.destroy();
    await engine.stop();
    const storage = createLocalStorage({ root: join(dataDir, "storage") });
    await storage.putBytes(key, randomBytes(fileBytes));
    const site = await startSite({ dataDir });
    let ours: number;
    try {
      ours = await measure(`${site.url}/media/${key}`, folder);
    } finally {
      await site.stop();
    }
    const nginx = await measureNginx(storage.localPath(key), folder);
    return {
      title: "1 MiB ranges of a 48 MB file",
      columns: ["server", "MB/s", "share of nginx"],
      rows: [
        ["Kinora's process", Math.round(ours), nginx === null ? "-" : ours / nginx],
        ["nginx with sendfile", nginx === null ? "not installed" : Math.round(nginx), 1],
      ],
      notes: [
        `wrk, 1 thread, 8 connections, ${seconds} s after one to warm up. Behind nginx set ACCEL_REDIRECT: nginx then sends the bytes itself.`,
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
