import type { PostgresPool } from "kysely";
import type pg from "pg";
import type { Config } from "#server/config.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Tracing } from "#server/lib/tracing/tracing.ts";
import {
  createDbOn,
  createPool,
  queryablePool,
  type DatabaseTarget,
  type Db,
} from "./connection.ts";
import { startEngine, type Engine } from "./engine/engine.ts";
import { migrateToLatest } from "./migrate.ts";
import { findPooler } from "./pooler.ts";
import { traceQueries } from "./query-tracing.ts";

export interface OpenDatabase {
  target: DatabaseTarget;
  /** Target for notifications; null behind a pooler without a direct address. */
  listenTarget: DatabaseTarget | null;
  pool: pg.Pool;
  /** Pool adapted for Kysely. */
  queryable: PostgresPool;
  db: Db;
  /** True if statements are prepared. */
  hasPrepared: boolean;
  /** Closes the connections, then stops the embedded engine. */
  close(): Promise<void>;
}

type DatabaseConfig = Pick<
  Config,
  "databaseUrl" | "databaseListenUrl" | "dataDir" | "preparedStatements"
>;

/**
 * Starts the embedded engine if needed, and updates the schema.
 * @param options.target replaces the embedded engine or DATABASE_URL.
 * @param options.isMigrated true if another process has just done so.
 * @param options.beforeUpgrade called before an embedded database's schema changes.
 */
export async function openDatabase(
  config: DatabaseConfig,
  logger: Logger,
  options: {
    maxConnections: number;
    target?: DatabaseTarget | undefined;
    isMigrated?: boolean;
    tracing?: Tracing | null;
    beforeUpgrade?: (db: Db) => Promise<unknown>;
  },
): Promise<OpenDatabase> {
  let engine: Engine | null = null;
  let { target } = options;
  if (target === undefined) {
    if (config.databaseUrl === null) {
      engine = await startEngine({ dataDir: config.dataDir, logger });
      ({ target } = engine);
    } else target = { connectionString: config.databaseUrl };
  }
  const sessions = await findSessions(config, target, logger);
  const pool = createPool(target, options.maxConnections, logger);
  const queryable = queryablePool(pool, sessions.hasPrepared);
  const { tracing = null } = options;
  const onQuery = tracing === null ? null : traceQueries(tracing);
  const db = createDbOn(queryable, onQuery);
  const close = async () => {
    await db.destroy();
    await engine?.stop();
  };
  try {
    if (options.isMigrated !== true) {
      if (engine !== null) await options.beforeUpgrade?.(db);
      for (const name of await migrateToLatest(db)) logger.info({ migration: name }, "migrated");
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { target, ...sessions, pool, queryable, db, close };
}

/** Detects the abilities of database connections, which depend on poolers in between. */
async function findSessions(config: DatabaseConfig, target: DatabaseTarget, logger: Logger) {
  const { databaseListenUrl: listenUrl, preparedStatements } = config;
  if (!("connectionString" in target)) {
    return { listenTarget: target, hasPrepared: preparedStatements ?? true };
  }
  const { isPooled, keepsStatements } = await findPooler(target);
  if (isPooled) logger.info({ keepsStatements }, "a pooler stands before the database");
  const own = isPooled ? null : target;
  return {
    listenTarget: listenUrl === null ? own : { connectionString: listenUrl },
    hasPrepared: preparedStatements ?? keepsStatements,
  };
}
