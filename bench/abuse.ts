import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";
import { createLocalStorage } from "../src/server/storage/local.storage.ts";
import { startSite, type Site } from "../test/harness/server-process.ts";
import type { BenchTable } from "./support/bench-table.ts";

const videoBytes = 4 * 1024 * 1024;
const samples = 40;
const videoPath = "/media/public/bench/video.mp4";

/** Sends a request and does not wait for anything but its end. */
function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent: Agent },
) {
  return new Promise<void>((resolve) => {
    const { body = "", ...rest } = options;
    const call = request(url, rest, (response) => {
      response.resume();
      response.on("close", resolve);
    });
    call.on("error", () => resolve());
    call.end(body);
  });
}

/** Repeats a call with `clients` at once. */
function flood(clients: number, call: (n: number, agent: Agent) => Promise<void>): void {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let n = 0;
  const repeat = async () => {
    for (;;) await call((n += 1), agent);
  };
  for (let client = 0; client < clients; client += 1) void repeat();
}

const json = { "content-type": "application/json" };

/** The floods that an attack found. Each runs in a thread of its own until that is terminated. */
const floods: Record<string, (url: string) => void> = {
  "40 set-up calls and 120 sign-ins at once": (url) =>
    flood(160, (n, agent) =>
      send(`${url}/api/auth/${n % 4 === 0 ? "setup" : "signin"}`, {
        method: "POST",
        headers: json,
        agent,
        body: JSON.stringify({
          email: `bench-${n}@example.com`,
          password: "a wrong password",
          ...(n % 4 === 0 ? { token: "guess" } : {}),
        }),
      }),
    ),
  "6 clients with 300,000 empty objects": (url) => {
    const body = `[${"{},".repeat(300_000)}{}]`;
    flood(6, (_n, agent) =>
      send(`${url}/api/visits`, { method: "POST", headers: json, agent, body }),
    );
  },
  "300 slow bodies": (url) => {
    const { hostname, port } = new URL(url);
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      socket.write(
        "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{",
      );
      return socket;
    });
    setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(" ");
    }, 500);
  },
  "16 clients at / with a forged cookie and random queries": (url) =>
    flood(16, (n, agent) =>
      send(`${url}/?x=${n}`, {
        agent,
        headers: { cookie: `session=${randomBytes(32).toString("base64url")}` },
      }),
    ),
};

/** Milliseconds until the first byte of the body. */
function firstByteMs(url: string, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    // Without an agent: each measurement opens a connection, as a visitor does.
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

/** What visitors feel while one client attacks, beside the same without: at most three times. */
export async function run(): Promise<BenchTable> {
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-abuse-"));
  const storage = createLocalStorage({ root: join(dataDir, "storage") });
  await storage.putBytes(videoPath.replace("/media/", ""), randomBytes(videoBytes));
  // The limits of writes would end two of the floods at once; the bounds behind them are measured.
  const site = await startSite({ dataDir, env: { WRITE_LIMITS: "0", LOG_LEVEL: "silent" } });
  try {
    await measureBoth(site);
    const rows: (string | number)[][] = [];
    for (const name of Object.keys(floods)) {
      const quiet = await measureBoth(site);
      const attacker = new Worker(new URL(import.meta.url), {
        argv: [name, site.url],
      });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const loud = await measureBoth(site);
      await attacker.terminate();
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
      notes: [
        `Medians of ${samples} requests, each on a new connection. At most 3 times the quiet value is wanted.`,
        "WRITE_LIMITS=0: the limits of writes would end two floods at once, so the bounds behind them are measured.",
      ],
    };
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (!isMainThread) {
  const [name = "", url = ""] = process.argv.slice(2);
  floods[name]?.(url);
}
