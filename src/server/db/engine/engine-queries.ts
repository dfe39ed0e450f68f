import pg from "pg";
import { hasCode } from "#server/lib/app-error.ts";
import { connectionOptions } from "../connection.ts";

/** Socket of the server, and the password of its only user. */
export interface EngineAccess {
  socketDir: string;
  password: string;
}

/** Runs one query on a new connection. */
async function query(access: EngineAccess, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    ...connectionOptions({ ...access, database: "postgres" }),
    connectionTimeoutMillis: 10_000,
  });
  // If the server ends, the query fails. Without a listener, the process would crash.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the database `kinora` in a new cluster. Several processes may try at once. */
export async function ensureDatabase(access: EngineAccess): Promise<void> {
  const found = await query(
    access,
    "select 1 from pg_database where datname = 'kinora' and datallowconn",
  );
  if (found.length > 0) return;
  await query(access, "create database kinora").catch((failure: unknown) => {
    // Another process is creating the database or has just created it.
    const wasCreatedElsewhere = ["42P04", "23505", "55006"].includes(sqlState(failure) ?? "");
    if (!wasCreatedElsewhere) throw failure;
  });
}

/** Returns the process that started this server, or null if unknown. */
export async function findOwner(access: EngineAccess): Promise<number | null> {
  const result = await query(access, "select current_setting('kinora.owner', true) pid");
  const pid = Number(result[0]?.["pid"]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

export async function countOtherClients(access: EngineAccess): Promise<number> {
  const result = await query(
    access,
    "select count(*)::int as clients from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return Number(result[0]?.["clients"] ?? 0);
}

/** Sets the user's password. A lock makes concurrent processes wait for each other. */
export async function setPassword(access: EngineAccess): Promise<void> {
  const password = pg.escapeLiteral(access.password);
  await query(access, `select pg_advisory_xact_lock(6512); alter role kinora password ${password}`);
}

export async function reloadSettings(access: EngineAccess): Promise<void> {
  await query(access, "select pg_reload_conf()");
}

/** Returns whether the server refused the password. */
export function isWrongPassword(error: unknown): boolean {
  return sqlState(error) === "28P01";
}

/** Returns whether the server has ended or is ending, rather than that a query was wrong. */
export function isConnectionLost(error: unknown): boolean {
  // 57P0x: it is shutting down, crashed, or can't accept connections yet.
  if (error instanceof pg.DatabaseError) return /^57P0[123]$/.test(error.code ?? "");
  if (hasCode(error, "ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE")) return true;
  return error instanceof Error && /terminated|timeout|ended/i.test(error.message);
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
