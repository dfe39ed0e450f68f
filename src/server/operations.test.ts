import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { root } from "#test/harness/server-process.ts";
import { startOperations } from "./serve.ts";
import type { OperationsServer } from "./processes/operations-server.ts";

const monitoring = join(root, "deploy/monitoring");
const promtool = process.env["PROMTOOL_PATH"] ?? "promtool";
const isInstalled = spawnSync(promtool, ["--version"]).status === 0;
const orSkipped = isInstalled ? "" : " (skipped: promtool is missing, apt install prometheus)";

let operations: OperationsServer | null;
const app = useTestApp({ env: { METRICS_PORT: "0" } });
beforeAll(async () => {
  operations = await startOperations(app.context);
});
afterAll(() => {
  operations?.close();
});

const ask = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${operations?.port}${path}`);
  return { status: response.status, text: await response.text() };
};
const readMetrics = async () => (await ask("/metrics")).text;

/**
 * Runs promtool and returns its complaints. Asynchronous, because the server runs in this process.
 */
async function check(args: string[], input = ""): Promise<string> {
  const child = spawn(promtool, args, { cwd: monitoring, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const [[code], ...said] = await Promise.all([
    once(child, "exit"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return code === 0 ? "" : said.join("");
}

test("measures requests by route and status class, and cached ones as hits", async () => {
  const client = createClient(app.url);
  const path = "/api/videos?limit=7";
  for (let n = 0; n < 3; n += 1) expect((await client.call("GET", path)).status).toBe(200);
  await client.call("GET", "/api/videos?limit=0");
  await client.call("POST", "/api/ads/00000000-0000-4000-8000-000000000000/impression");
  await vi.waitFor(async () => {
    const text = await readMetrics();
    const count = 'kinora_http_request_duration_seconds_count{method="GET",route="/api/videos"';
    expect(text).toContain(`${count},status="2xx"} 1\n`);
    expect(text).toContain(`${count},status="4xx"} 1\n`);
    expect(text).toContain('method="POST",route="/api/ads/:id/impression",status="4xx"} 1\n');
    expect(text).toContain("kinora_cache_hits_total 2\n");
    expect(text).toMatch(/kinora_cache_bytes\{process="all"\} [1-9]/);
    expect(text).toContain('kinora_jobs_waiting{job="video.publish"} 0\n');
    expect(text).toContain("kinora_database_up 1\n");
  }, 30_000);
});

test("reports the job of the watched folder only while a folder is watched", async () => {
  const { queue, db } = app.context;
  await queue.enqueue(db, "import.watch", {});
  expect(await readMetrics()).not.toContain('{job="import.watch"}');
  await db.updateTable("settings").set({ watch_folder: true }).execute();
  expect(await readMetrics()).toContain('kinora_jobs_waiting{job="import.watch"} 1\n');
});

test("hides the metrics from visitors", async () => {
  const response = await createClient(app.url).call("GET", "/metrics");
  expect(response.text).not.toContain("kinora_");
});

test("uses only existing metrics in the alerts and the dashboard", async () => {
  const text = await readMetrics();
  for (const file of ["alerts.yml", "grafana-dashboard.json"]) {
    const used = readFileSync(join(monitoring, file), "utf8").matchAll(/\bkinora_\w+/g);
    const names = new Set(Array.from(used, ([name]) => name.replace(/_(bucket|sum|count)$/, "")));
    expect(names.size).toBeGreaterThan(5);
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
  }
});

test.skipIf(!isInstalled)(
  `passes Prometheus's checks of metrics, alerts and their tests${orSkipped}`,
  async () => {
    expect(await check(["check", "metrics"], await readMetrics())).toBe("");
    expect(await check(["check", "config", "prometheus.yml"])).toBe("");
    expect(await check(["test", "rules", "alerts.test.yml"])).toBe("");
  },
);

test("serves health and readiness, even while a process stops", async () => {
  expect(await ask("/healthz")).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await ask("/readyz")).toMatchObject({ status: 200 });
  expect(await ask("/anything")).toMatchObject({ status: 404 });
  app.context.http.drain();
  expect(await ask("/readyz")).toEqual({ status: 503, text: '{"status":"stopping"}' });
});
