import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createNode, type Node } from "./node.ts";
import { startNginx, type Nginx } from "./start-nginx.ts";
import { startObjectStore, type ObjectStore } from "../harness/object-store.ts";
import { startPgBouncer, type PgBouncer } from "../harness/pgbouncer.ts";
import { startPostgres, type Postgres } from "../harness/postgres.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";

/**
 * Site with two web nodes behind nginx, two workers, PostgreSQL 15 through PgBouncer, and Swift as
 * S3.
 */
export interface ClusterSite {
  folder: string;
  store: ObjectStore;
  postgres: Postgres;
  pooler: PgBouncer;
  nginx: Nginx;
  web: readonly [Node, Node];
  workers: readonly [Node, Node];
  stop(): Promise<void>;
}

export async function startClusterSite(): Promise<ClusterSite> {
  const folder = await makeServiceRoot("cluster");
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.toReversed()) await end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const postgres = await startPostgres(join(folder, "postgres"));
    stops.push(() => postgres.daemon.stop("SIGINT"));
    const pooler = await startPgBouncer(join(folder, "pgbouncer"), postgres.port);
    stops.push(() => pooler.daemon.stop());
    const store = await startObjectStore();
    stops.push(() => store.stop());
    const env = {
      ...store.env,
      DATABASE_URL: pooler.url,
      DATABASE_POOLER: "true",
      DATABASE_PREPARED: String(pooler.keepsStatements),
      TRUST_PROXY: "127.0.0.1",
      ADMIN_EMAIL: "bench@example.com",
      ADMIN_PASSWORD: "bench password",
      CDN_MAX_AGE: "2",
      DRAIN_SECONDS: "8",
      // All clients have one address.
      WRITE_LIMITS: "0",
    };
    // One of each kind receives notifications, and the other has to poll.
    const listening = { DATABASE_LISTEN_URL: postgres.url };
    const create = (name: string, role: "web" | "worker", own: Record<string, string>) =>
      createNode(name, role, { ...env, DATA_DIR: join(folder, name), ...own });
    const web = [
      await create("web A", "web", listening),
      // Redirects media requests to signed URLs.
      await create("web B", "web", { MEDIA_DELIVERY: "redirect" }),
    ] as const;
    const workers = [
      await create("worker 1", "worker", listening),
      await create("worker 2", "worker", {}),
    ] as const;
    const nodes = [...web, ...workers];
    for (const { daemon } of nodes) stops.push(() => daemon.stop());
    await Promise.all(nodes.map(({ daemon }) => daemon.start()));
    const nginx = await startNginx({ nodes: [web[0].port, web[1].port], dataDir: folder });
    stops.push(() => nginx.stop());
    return { folder, store, postgres, pooler, nginx, web, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
