import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  findFreePort,
  removeData,
  root,
  startSite,
  type Site,
} from "#test/harness/server-process.ts";

let dataDir: string;
let metricsPort: number;
let site: Site;
let output = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kinora-processes-"));
  metricsPort = await findFreePort();
  site = await start();
});
afterAll(async () => {
  await site.stop();
  await removeData(dataDir);
});

/** Starts the site with two web processes and waits until both accept requests. */
async function start(): Promise<Site> {
  output = "";
  const started = await startSite({
    dataDir,
    env: { WEB_PROCESSES: "2", LOG_LEVEL: "info", METRICS_PORT: String(metricsPort) },
    onOutput: (text) => {
      output += text;
    },
  });
  await waitForListeners(2);
  return started;
}

/**
 * Returns the ids of all web processes that have started to accept requests, according to the log.
 */
const listeners = (): number[] =>
  [...output.matchAll(/"pid":(\d+),"msg":"Server listening/g)].map(([, pid]) => Number(pid));

const patience = { timeout: 60_000, interval: 50 };
const waitForListeners = (count: number) =>
  vi.waitFor(() => expect(listeners()).toHaveLength(count), patience);

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts clients that read on their own connections until stopped. */
function startClients(count: number) {
  const results = { successes: 0, failures: 0 };
  const stopping = new AbortController();
  async function read(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isSuccess = await fetch(`${site.url}/api/videos?limit=5`).then(
        async (response) => response.ok && (await response.text()) !== "",
        () => false,
      );
      if (isSuccess) results.successes += 1;
      else results.failures += 1;
      await wait(25);
    }
  }
  const clients = Promise.all(Array.from({ length: count }, read));
  return {
    async stop() {
      stopping.abort();
      await clients;
      return results;
    },
  };
}

/** Returns the metrics of all processes of the site. */
async function readMetrics() {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const text = await response.text();
  const memory = text.matchAll(/kinora_process_resident_bytes\{process="([^"]+)"\}/g);
  return {
    processes: Array.from(memory, ([, name]) => name).toSorted(),
    // Every request is either a hit or a miss, except those of `/healthz` and similar.
    cacheLookUps: Array.from(text.matchAll(/kinora_cache_(?:hits|misses)_total (\d+)/g)).reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    ),
  };
}

/** Waits for metrics that include these processes. */
const waitForMetrics = (processes: string[]) =>
  vi.waitFor(async () => {
    const metrics = await readMetrics();
    expect(metrics.processes).toEqual(processes);
    return metrics;
  }, patience);

test("adds up all processes' metrics in the primary process", async () => {
  const before = await waitForMetrics(["primary", "web-1", "web-2", "worker-3"]);
  for (let n = 1; n <= 20; n += 1) await fetch(`${site.url}/api/videos?limit=${n}`);
  const read = async () => (await readMetrics()).cacheLookUps;
  await vi.waitFor(async () => expect(await read()).toBe(before.cacheLookUps + 20), patience);
});

test("ends cleanly when told to stop between opening the port and the end of the start", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kinora-start-"));
  const env = { PORT: String(await findFreePort()), DATA_DIR: folder, LOG_LEVEL: "info" };
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env, WEB_PROCESSES: "1" },
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (text.includes("Server listening")) child.kill("SIGTERM");
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  await removeData(folder);
});

test("gives each web process its own queue of new connections", async () => {
  const port = Number(new URL(site.url).port).toString(16).toUpperCase().padStart(4, "0");
  const listening = new RegExp(`^ *\\d+: \\w+:${port} \\w+:0000 0A `, "gm");
  expect(readFileSync("/proc/net/tcp", "utf8").match(listening)).toHaveLength(2);
});

test("fails only the current requests of a killed web process and replaces it", async () => {
  const clients = startClients(4);
  await wait(200);
  const before = await readMetrics();
  process.kill(listeners()[0] ?? 0, "SIGKILL");
  await waitForListeners(3);
  await wait(200);
  const { successes, failures } = await clients.stop();
  // Each client fails at most once on an open connection, and once in the queue of the dead
  // process.
  expect(failures).toBeLessThanOrEqual(2 * 4);
  expect(successes).toBeGreaterThan(20);
  expect(output).toMatch(/"reason":"SIGKILL","msg":"a process died"/);
  // Its last reported counts are retained.
  const { processes, ...after } = await readMetrics();
  expect(processes).toHaveLength(4);
  expect(processes).toContain("web-4");
  expect(after.cacheLookUps).toBeGreaterThanOrEqual(before.cacheLookUps);
});

test("fails no request when a web process is told to stop and replaces the process", async () => {
  const clients = startClients(4);
  await wait(200);
  process.kill(listeners()[1] ?? 0, "SIGTERM");
  await waitForListeners(4);
  expect((await clients.stop()).failures).toBe(0);
  // Only the first process prints addresses.
  expect(output.match(/Kinora is ready/g)).toHaveLength(1);
});

/** Resolves once a request has been sent over a new connection. */
async function send(path: string): Promise<{ status: Promise<number | undefined> }> {
  const request = get(site.url + path, { agent: false });
  const status = once(request, "response").then((responses) => {
    const [response] = responses as [IncomingMessage];
    return response.resume().statusCode;
  });
  await once(request, "finish");
  return { status };
}

test("completes running requests when stopped, ends event streams and leaves no process", async () => {
  const cookie = await site.signIn();
  const events = await fetch(`${site.url}/api/admin/events`, { headers: { cookie } });
  const pages = await Promise.all(Array.from({ length: 20 }, (_, n) => send(`/home?n=${n}`)));
  const stopped = site.stop();
  const statuses = await Promise.all(pages.map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await events.text()).toMatch(/^retry/);
  await stopped;
  expect(listeners().filter(isAlive)).toEqual([]);
  expect(output).not.toContain("didn't stop in time");
});

test("writes one JSON object per line to standard output", () => {
  const lines = output.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(5);
  const texts = lines.map((line) => String(JSON.parse(line).msg));
  expect(texts).toContainEqual(expect.stringMatching(/^Kinora is ready at http/));
  expect(texts).toContain("Stopping (SIGTERM) ...");
});

test("ends all processes when the primary one is killed", async () => {
  site = await start();
  // Waits until two web processes and the worker have each written to the log.
  const all = await vi.waitFor(() => {
    const pids = new Set([...output.matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid)));
    expect(pids.size).toBeGreaterThanOrEqual(3);
    return [...pids];
  }, patience);
  await site.stop("SIGKILL");
  await expect.poll(() => all.filter(isAlive)).toEqual([]);
});
