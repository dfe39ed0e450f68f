import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createClient } from "../app.ts";
import { makeVideo, type VideoRow } from "../factories/make-video.ts";
import { startPostgres, type Postgres } from "../harness/postgres.ts";
import { findFreePort, startSite, type Site } from "../harness/server-process.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";

const maxLagS = 5;
const patience = { timeout: 60_000, interval: 50 };

let folder: string;
let primary: Postgres;
let replica: Postgres;
let db: Db;
/** Nodes that read from the replica. */
let nodes: (Site & { metricsPort: number })[];
let admin: ReturnType<typeof createClient>;
let video: VideoRow;

async function startNode() {
  const metricsPort = await findFreePort();
  const site = await startSite({
    dataDir: join(folder, "data"),
    env: {
      ROLE: "web",
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      DATABASE_READ_MAX_LAG: String(maxLagS),
      METRICS_PORT: String(metricsPort),
    },
  });
  return { ...site, metricsPort };
}

beforeAll(async () => {
  folder = await makeServiceRoot("replica");
  primary = await startPostgres(join(folder, "primary"));
  replica = await primary.startReplica(join(folder, "replica"));
  nodes = [await startNode(), await startNode()];
  admin = createClient(first().url, await first().signIn());
  db = createDb(createPool({ connectionString: primary.url }, 2, createLogger("error")));
  video = await makeVideo(db);
});
afterAll(async () => {
  await db.destroy();
  for (const node of nodes) await node.stop();
  await replica.daemon.stop("SIGINT");
  await primary.daemon.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const node of nodes) await waitForReplica(node, true);
});

const first = () => node(0);
const second = () => node(1);
function node(at: number) {
  const found = nodes[at];
  if (found === undefined) throw new Error("no such node");
  return found;
}

async function usesReplica({ metricsPort }: { metricsPort: number }): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return /kinora_database_replica_used\{[^}]*\} 1\n/.test(await response.text());
}

const waitForReplica = (of: { metricsPort: number }, isUsed: boolean) =>
  vi.waitFor(async () => expect(await usesReplica(of)).toBe(isUsed), patience);

let count = 0;
/** Reads the video from a list that is rarely cached. */
async function readInList(site: Site, limit = 10 + (count++ % 90)) {
  const client = createClient(site.url);
  const { status, json } = await client.call("GET", `/api/videos?limit=${limit}`);
  expect(status).toBe(200);
  return json.videos.find(({ id }: { id: string }) => id === video.id);
}

async function pauseReplay(): Promise<void> {
  await replica.query("select pg_wal_replay_pause()");
  const readState = "select pg_get_wal_replay_pause_state() as state";
  await vi.waitFor(
    async () => expect(await replica.query(readState)).toEqual([{ state: "paused" }]),
    patience,
  );
}
const resumeReplay = () => replica.query("select pg_wal_replay_resume()");

test("shows no data of a replica that hasn't replayed a known change", async () => {
  await vi.waitFor(async () => expect(await readInList(second())).toBeDefined(), patience);
  await pauseReplay();
  const { status } = await admin.call("PUT", `/api/videos/${video.id}`, { title: "Another title" });
  expect(status).toBe(200);
  // Visible immediately on the node that wrote it, and on the other after the event.
  expect((await readInList(first())).title).toBe("Another title");
  await vi.waitFor(
    async () => expect((await readInList(second())).title).toBe("Another title"),
    patience,
  );
  for (let n = 0; n < 20; n += 1) {
    for (const site of nodes) {
      expect((await readInList(site)).title).toBe("Another title");
      // Reads the cached copy, then sends the request that refreshes it.
      expect((await readInList(site, 5)).title).toBe("Another title");
    }
    await wait(25);
  }
  expect(await usesReplica(first())).toBe(false);
  await resumeReplay();
  await waitForReplica(second(), true);
  expect((await readInList(second())).title).toBe("Another title");
});

test("limits the lag of lists, and shows visitors their own like at once", async () => {
  await vi.waitFor(async () => expect((await readInList(first())).likes).toBe(0), patience);
  await pauseReplay();
  const visitor = createClient(first().url);
  const { status } = await visitor.call("POST", `/api/videos/${video.id}/like`);
  expect(status).toBe(200);
  const own = await visitor.call("GET", `/api/videos/${video.id}/like`);
  expect(own.json).toEqual({ liked: true, likesCount: 1 });
  // Likes send no event, so lists show the replica's state until it lags too far.
  expect((await readInList(second())).likes).toBe(0);
  await vi.waitFor(async () => expect((await readInList(second())).likes).toBe(1), patience);
  expect(await usesReplica(second())).toBe(false);
  await resumeReplay();
});

test("fails no request when a replica disappears, and uses it again when it is back", async () => {
  let isStopping = false;
  const statuses = new Set<number>();
  const readers = nodes.map(async ({ url }) => {
    for (let n = 0; !isStopping; n += 1) {
      const response = await fetch(`${url}/api/videos?limit=5&offset=${n % 50}`);
      statuses.add(response.status);
      await response.text();
      await wait(5);
    }
  });
  await replica.daemon.stop("SIGKILL", true);
  await Promise.all(nodes.map((each) => waitForReplica(each, false)));
  await replica.daemon.start();
  await Promise.all(nodes.map((each) => waitForReplica(each, true)));
  isStopping = true;
  await Promise.all(readers);
  expect(statuses).toEqual(new Set([200]));
});
