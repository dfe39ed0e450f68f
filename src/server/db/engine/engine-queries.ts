import pg from "pg";
import { errorCode } from "./engine-error.ts";

/** Asks one thing of the server over a connection of its own. */
async function ask(socketDir: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    host: socketDir,
    database: "postgres",
    user: "kinora",
    connectionTimeoutMillis: 10_000,
  });
  // A server that ends while we are connected is the caller's failed query, not a crash.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes the database `kinora` in a cluster that is new; several processes may try at once. */
export async function ensureDatabase(socketDir: string): Promise<void> {
  const found = await ask(
    socketDir,
    "select 1 from pg_database where datname = 'kinora' and datallowconn",
  );
  if (found.length > 0) return;
  await ask(socketDir, "create database kinora").catch((failure: unknown) => {
    // Another process makes it, or has just made it.
    const isMadeByOther = ["42P04", "23505", "55006"].includes(sqlState(failure) ?? "");
    if (!isMadeByOther) throw failure;
  });
}

/** The process that started this server, or null if it does not say. */
export async function findOwner(socketDir: string): Promise<number | null> {
  const result = await ask(socketDir, "select current_setting('kinora.owner', true) pid");
  const pid = Number(result[0]?.["pid"]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

export async function countOtherClients(socketDir: string): Promise<number> {
  const result = await ask(
    socketDir,
    "select count(*)::int as clients from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return Number(result[0]?.["clients"] ?? 0);
}

/** True if the server went away (or is about to), rather than refused what it was asked. */
export function isConnectionLost(error: unknown): boolean {
  // 57P0x: it shuts down, crashed, or cannot take connections yet.
  if (error instanceof pg.DatabaseError) return /^57P0[123]$/.test(error.code ?? "");
  const lost = ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"];
  if (lost.includes(errorCode(error) ?? "")) return true;
  return error instanceof Error && /terminated|timeout|ended/i.test(error.message);
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
