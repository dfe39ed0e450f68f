import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type LogEvent,
  type PostgresPool,
  type Transaction,
} from "kysely";
import pg from "pg";
import { preparingPool } from "./prepared-statements.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Database } from "./schema.ts";

export type Db = Kysely<Database>;
/** What repositories take: the pool, or the transaction that they must then stay in. */
export type DbOrTrx = Db | Transaction<Database>;
export type Trx = Transaction<Database>;

// int8 arrives as text by default; our totals stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

/** The folder of a Unix socket, and the password of the user `kinora`. */
export interface SocketTarget {
  socketDir: string;
  database: string;
  password: string;
}

/** Where PostgreSQL listens. */
export type DatabaseTarget = { connectionString: string } | SocketTarget;

/** The target as pg and pg-boss take it. */
export function connectionOf(
  target: DatabaseTarget,
): { connectionString: string } | Record<"host" | "database" | "user" | "password", string> {
  if ("connectionString" in target) return { connectionString: target.connectionString };
  const { socketDir, database, password } = target;
  return { host: socketDir, database, user: "kinora", password };
}

/** The target as one address, for the variable DATABASE_URL of another process. */
export function connectionStringOf(target: DatabaseTarget): string {
  if ("connectionString" in target) return target.connectionString;
  const [socketDir, database, password] = [target.socketDir, target.database, target.password].map(
    encodeURIComponent,
  );
  return `postgres://kinora:${password}@/${database}?host=${socketDir}`;
}

/** Errors of the connections to the database. Those of clients and files have the same codes. */
const connectionErrors = new WeakSet<Error>();

class PooledClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on("error", (error: Error) => connectionErrors.add(error));
    // The pool listens only while a client is idle. One in use fails at its next query; without a
    // listener its error would end the process.
    this.on("error", () => undefined);
  }
}

/** A pool that survives the loss of its server: broken connections are dropped, not thrown. */
export function createPool(target: DatabaseTarget, max: number, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(target),
    Client: PooledClient,
    max,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: "kinora",
  });
  // Without a listener, an error of an idle connection would end the process.
  pool.on("error", (error) =>
    warnLimited(logger, "connection lost", { err: error }, "database connection lost"),
  );
  return pool;
}

/**
 * The pool as Kysely uses it. Call it once for each pool, since statements have names.
 * @param hasPrepared whether hot statements are prepared; see `prepared`.
 */
export const queryablePool = (pool: pg.Pool, hasPrepared = true): PostgresPool =>
  hasPrepared ? preparingPool(pool) : pool;

/**
 * Migrations take a lock of their transaction. That of Kysely is one of the session, which a pooler
 * gives to others.
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

/** @param onQuery is told of each statement after its end. */
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
 * Whether an error means that the server is not reachable just now (restarting, shutting down, the
 * connection cut), rather than that a statement was wrong. Class 08 and 57P0x of PostgreSQL.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    if (/^(57P0[123]|08\w{3}|53300)$/.test(error.code)) return true;
    // What the socket of a pool's connection failed with: ECONNRESET, ENOENT and so on.
    if (connectionErrors.has(error) && /^E[A-Z]+$/.test(error.code)) return true;
  }
  return /^Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/**
 * Whether one row of a statement with many may have caused an error: a value, a broken constraint, or
 * a deadlock. Classes 22, 23 and 40 of PostgreSQL.
 */
export function mayBeOfOneRow(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && /^(22|23|40)\w{3}$/.test(error.code);
}

/**
 * Whether PostgreSQL ended a transaction because of another one: a deadlock, or a failed
 * serialisation. The same transaction may succeed when it runs again.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "40P01" || error.code === "40001");

/** @throws when the database does not respond. */
export async function pingDatabase(pool: pg.Pool): Promise<void> {
  await pool.query("select 1");
}
