import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type LogEvent,
  type PostgresPool,
  type Transaction,
} from "kysely";
import pg from "pg";
import { codeOf, hasCode } from "#server/lib/app-error.ts";
import { endSilentConnections, type SilenceLimits } from "./end-silent-connections.ts";
import { preparingPool } from "./prepared-statements.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { Database } from "./schema.ts";

/** Time until an idle connection is checked. By default, the kernel waits two hours. */
export const keepAliveInitialDelayMillis = 30_000;

/** Longer than anybody waits for this check. */
const pingTimeoutMs = 5000;

export type Db = Kysely<Database>;
/** Argument of repositories: the pool, or the transaction to use. */
export type DbOrTrx = Db | Transaction<Database>;
export type Trx = Transaction<Database>;

// pg returns int8 as text by default. Our totals stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

/** Folder of a Unix socket, and the password of the user `kinora`. */
export interface SocketTarget {
  socketDir: string;
  database: string;
  password: string;
}

/** Address of PostgreSQL. */
export type DatabaseTarget = { connectionString: string } | SocketTarget;

/**
 * Options of connections through a socket. Without them, pg reads PGPORT and PGSSLMODE, which
 * describe another server.
 */
const socketOptions = { port: 5432, ssl: false };

/** Returns the target in the form of pg and pg-boss. */
export function connectionOptions(
  target: DatabaseTarget,
):
  | { connectionString: string }
  | (Record<"host" | "database" | "user" | "password", string> & typeof socketOptions) {
  if ("connectionString" in target) return { connectionString: target.connectionString };
  const { socketDir, database, password } = target;
  return { host: socketDir, database, user: "kinora", password, ...socketOptions };
}

/** Returns the target as one address, for another process's DATABASE_URL. */
export function toConnectionString(target: DatabaseTarget): string {
  if ("connectionString" in target) return target.connectionString;
  const [socketDir, database, password] = [target.socketDir, target.database, target.password].map(
    encodeURIComponent,
  );
  return `postgres://kinora:${password}@/${database}?host=${socketDir}&port=${socketOptions.port}&sslmode=disable`;
}

/** Errors from database connections. Their codes also occur in errors from clients and files. */
const connectionErrors = new WeakSet<Error>();

/** Code of errors from a server that accepts no writes, such as a standby. */
const readOnlyCode = "25006";
/** Clients whose server has refused a write. */
const readOnlyClients = new WeakSet<pg.ClientBase>();

class PooledClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on("error", (error: Error) => connectionErrors.add(error));
    this.connection.on("errorMessage", (error: Error) => {
      if (hasCode(error, readOnlyCode)) readOnlyClients.add(this);
    });
    // The pool only listens for errors while a client is idle. A client in use fails at its next
    // query, but without a listener its error would end the process.
    this.on("error", () => undefined);
  }
}

/**
 * Creates a pool that survives the loss of its server. Broken connections are dropped silently.
 * @param silence shorter limits for tests.
 */
export function createPool(
  target: DatabaseTarget,
  max: number,
  logger: Logger,
  silence?: SilenceLimits,
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(target),
    Client: PooledClient,
    max,
    // Jobs that repeat every minute would otherwise open a connection each time.
    idleTimeoutMillis: 120_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis,
    application_name: "kinora",
  });
  // Without a listener, the error of an idle connection would end the process.
  pool.on("error", (error) => {
    // The embedded server stops soon after, and may end a connection before it closes.
    if (pool.ending) return;
    warnLimited(logger, "connection lost", { err: error }, "database connection lost");
  });
  // After a failover, connections to the old primary stay read-only. New ones reach the new primary.
  pool.on("release", (_error, client) => {
    if (readOnlyClients.has(client)) void client.end();
  });
  if ("connectionString" in target) {
    endSilentConnections(pool, target.connectionString, logger, silence);
  }
  return pool;
}

/**
 * Adapts the pool for Kysely. Call it once per pool, because statement names are per pool.
 * @param hasPrepared true to prepare hot statements; see `prepared`.
 */
export const queryablePool = (pool: pg.Pool, hasPrepared = true): PostgresPool =>
  hasPrepared ? preparingPool(pool) : pool;

/**
 * Adapter without Kysely's migration lock. That lock belongs to a session, and a pooler shares
 * sessions. Our migrations lock in their transaction instead.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

/** @param onQuery called after each statement. */
export const createDbOn = (
  pool: PostgresPool,
  onQuery: ((event: LogEvent) => void) | null = null,
): Db =>
  new Kysely<Database>({
    dialect: new Dialect({ pool }),
    ...(onQuery === null ? {} : { log: onQuery }),
  });

export const createDb = (pool: pg.Pool, hasPrepared = true): Db =>
  createDbOn(queryablePool(pool, hasPrepared));

/**
 * Returns whether an error means that the server is currently unusable (restarting, shutting down,
 * disconnected or a standby) rather than that a statement was wrong. Covers PostgreSQL's classes 08
 * and 57P0x.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error) ?? "";
  if (code === readOnlyCode || /^(57P0[123]|08\w{3}|53300)$/.test(code)) return true;
  // Socket errors of a pool's connection: ECONNRESET, ENOENT and so on.
  if (connectionErrors.has(error) && /^E[A-Z]+$/.test(code)) return true;
  return /^Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/**
 * Returns whether a single row of a multi-row statement may have caused an error: an invalid value,
 * a broken constraint, or a deadlock. Covers PostgreSQL's classes 22, 23 and 40.
 */
export const isRowError = (error: unknown): boolean =>
  /^(22|23|40)\w{3}$/.test(codeOf(error) ?? "");

/**
 * Returns whether PostgreSQL aborted a transaction because of another one, due to a deadlock or a
 * failed serialisation. A retry may succeed.
 */
export const isTransactionConflict = (error: unknown): boolean => hasCode(error, "40P01", "40001");

/** Fails on a standby, so that the pool discards the connection. */
const pingText = `do $$ begin
  if pg_is_in_recovery() then
    raise 'The server is a read-only standby.' using errcode = '${readOnlyCode}';
  end if;
end $$`;

/** @throws if the database doesn't respond or is a standby. */
export async function pingDatabase(pool: pg.Pool): Promise<void> {
  const query = { text: pingText, query_timeout: pingTimeoutMs };
  await pool.query(query);
}
