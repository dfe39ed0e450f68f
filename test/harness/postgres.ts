import { execFile } from "node:child_process";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { createDaemon, isRoot, serviceUser, type Daemon } from "./daemon.ts";
import { findFreePort } from "./server-process.ts";
import { makeServiceFolder } from "./service-folder.ts";

const run = promisify(execFile);

/** Folder of PostgreSQL 15 on Debian. */
const postgresPrograms = "/usr/lib/postgresql/15/bin";

export interface Postgres {
  daemon: Daemon;
  port: number;
  /** URL of the site's database, as its owner. */
  url: string;
  /** Runs a statement as the superuser in the database of the site. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Starts a streaming replica. */
  startReplica(folder: string): Promise<Postgres>;
}

/** User that owns the database of the site. */
export const databaseUser = {
  user: "kinora",
  password: "secret of the cluster",
  database: "kinora",
};
const own = databaseUser;

/** Superuser. There is a database with the same name. */
const superuser = "postgres";

const asService = isRoot ? { uid: serviceUser, gid: serviceUser } : {};

/** Starts PostgreSQL 15 with an empty database owned by an unprivileged user. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const data = join(await makeServiceFolder(folder), "data");
  const options = ["-U", superuser, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(join(postgresPrograms, "initdb"), ["-D", data, "--no-sync", ...options], asService);
  await appendFile(join(data, "postgresql.conf"), settings);
  await writeFile(join(data, "pg_hba.conf"), access);
  const server = await serve(folder, data);
  await query(server.port, superuser, `create role ${own.user} login password '${own.password}'`);
  await query(server.port, superuser, `create database ${own.database} owner ${own.user}`);
  return server;
}

/** fsync is off, because commits only need to survive killed processes, not power cuts. */
const settings = `
fsync = off
listen_addresses = '127.0.0.1'
max_connections = 60
wal_level = replica
hot_standby_feedback = on
`;
const access = `
host all ${own.user} 127.0.0.1/32 scram-sha-256
host all ${superuser} 127.0.0.1/32 trust
host replication ${superuser} 127.0.0.1/32 trust
`;

async function query<Row extends object>(
  port: number,
  database: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: superuser, database });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function serve(folder: string, data: string): Promise<Postgres> {
  const port = await findFreePort();
  const daemon = createDaemon({
    name: "PostgreSQL",
    command: [
      join(postgresPrograms, "postgres"),
      ...["-D", data, "-p", String(port), "-c", `unix_socket_directories=${folder}`],
    ],
    cwd: folder,
    isUnprivileged: true,
    isReady: async () => (await query(port, superuser, "select 1")).length === 1,
  });
  await daemon.start();
  const password = encodeURIComponent(own.password);
  return {
    daemon,
    port,
    url: `postgres://${own.user}:${password}@127.0.0.1:${port}/${own.database}`,
    query: (text) => query(port, own.database, text),
    async startReplica(replicaFolder) {
      const copy = join(await makeServiceFolder(replicaFolder), "data");
      const source = ["-h", "127.0.0.1", "-p", String(port), "-U", superuser];
      await run(
        join(postgresPrograms, "pg_basebackup"),
        [...source, "-D", copy, "-R", "-X", "stream", "-c", "fast", "--no-sync"],
        asService,
      );
      return serve(replicaFolder, copy);
    },
  };
}
