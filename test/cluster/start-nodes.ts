import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConnectionString } from "#server/db/connection.ts";
import { createEmptyDatabase, type TestDatabase } from "../database.ts";
import { findFreePort, startSite, type Site } from "../harness/server-process.ts";
import { startNginx, type Nginx } from "./start-nginx.ts";

export interface Nodes {
  nginx: Nginx;
  database: TestDatabase;
  dataDir: string;
  sites: [Site, Site];
  metricsUrls: readonly [string, string];
  /** Reads the log of both nodes. */
  readLog(): string;
  /** Stops a node with SIGTERM and restarts it on the same port. */
  restart(index: 0 | 1): Promise<void>;
  stop(): Promise<void>;
}

/** Starts two nodes at the same time behind nginx, with an empty database and shared storage. */
export async function startNodes(env: Record<string, string>): Promise<Nodes> {
  const database = await createEmptyDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-nodes-"));
  // nginx reads the media as another user.
  await chmod(dataDir, 0o711);
  const ports = [await findFreePort(), await findFreePort()] as const;
  const metricsPorts = [await findFreePort(), await findFreePort()] as const;
  let log = "";
  const start = (index: 0 | 1) =>
    startSite({
      dataDir,
      port: ports[index],
      env: {
        METRICS_PORT: String(metricsPorts[index]),
        DATABASE_URL: toConnectionString(database.target),
        TRUST_PROXY: "127.0.0.1",
        LOG_LEVEL: "info",
        ...env,
      },
      onOutput: (text) => {
        log += text;
      },
    });
  const nginx = await startNginx({ nodes: ports, dataDir });
  const sites = await Promise.all([start(0), start(1)]);
  const metricsUrlOf = (index: 0 | 1) => `http://127.0.0.1:${metricsPorts[index]}/metrics`;
  return {
    nginx,
    database,
    dataDir,
    sites,
    metricsUrls: [metricsUrlOf(0), metricsUrlOf(1)],
    readLog: () => log,
    async restart(index) {
      await sites[index].stop();
      sites[index] = await start(index);
    },
    async stop() {
      await nginx.stop();
      await Promise.all(sites.map((site) => site.stop()));
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
