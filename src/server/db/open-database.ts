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
  /** Where notifications arrive; null behind a pooler without a direct address. */
  listenTarget: DatabaseTarget | null;
  pool: pg.Pool;
  /** The pool as Kysely uses it. */
  queryable: PostgresPool;
  db: Db;
  /** Whether statements are prepared. */
  hasPrepared: boolean;
  /** Ends the connections, then the embedded engine. */
  close(): Promise<void>;
}

type DatabaseConfig = Pick<
  Config,
  "databaseUrl" | "databaseListenUrl" | "dataDir" | "preparedStatements"
>;

/**
 * Starts the embedded engine if one is needed, and brings the schema up to date.
 * @param options.target instead of the embedded engine or DATABASE_URL.
 * @param options.isMigrated whether another process has just done so.
 * @param options.beforeUpgrade runs before the schema of an embedded database is changed.
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

/** What connections to the database can do, depending on what leads there. */
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
