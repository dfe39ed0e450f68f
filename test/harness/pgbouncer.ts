import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDaemon, type Daemon } from "./daemon.ts";
import { databaseUser } from "./postgres.ts";
import { findFreePort } from "./server-process.ts";
import { makeServiceFolder } from "./service-folder.ts";

export interface PgBouncer {
  daemon: Daemon;
  /** URL of the site's database through the pooler. */
  url: string;
  /** True since version 1.21. */
  keepsStatements: boolean;
}

const pgBouncerProgram = process.env["PGBOUNCER_PATH"] ?? "/usr/sbin/pgbouncer";

/**
 * PgBouncer in transaction mode, configured as in docs/operating/several-machines.md, in front of
 * the server on a port.
 */
export async function startPgBouncer(
  folder: string,
  serverPort: number,
  changes: Record<string, string> = {},
): Promise<PgBouncer> {
  await makeServiceFolder(folder);
  const { stdout } = await promisify(execFile)(pgBouncerProgram, ["--version"]);
  const keepsStatements = Number(/PgBouncer 1\.(\d+)/.exec(stdout)?.[1] ?? 0) >= 21;
  const settings = {
    auth_type: "scram-sha-256",
    pool_mode: "transaction",
    max_client_conn: "300",
    default_pool_size: "20",
    server_login_retry: "1",
    query_wait_timeout: "10",
    ...(keepsStatements ? { max_prepared_statements: "200" } : {}),
    ...changes,
  };
  const port = await findFreePort();
  const { user, password, database } = databaseUser;
  const users = join(folder, "users.txt");
  // Readable for the service's user. Other users can't enter the parent folder.
  await writeFile(users, `"${user}" "${password}"\n`, { mode: 0o644 });
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${users}
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join("")}`,
  );
  const daemon = createDaemon({
    name: "PgBouncer",
    command: [pgBouncerProgram, file],
    cwd: folder,
    isUnprivileged: true,
    async isReady() {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
      return true;
    },
  });
  await daemon.start();
  return {
    daemon,
    keepsStatements,
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
  };
}
