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
import { traceQueries } from "./query-tracing.ts";

type DatabaseConfig = Pick<
  Config,
  "databaseUrl" | "databaseListenUrl" | "hasPooler" | "dataDir" | "preparedStatements"
>;

/**
 * Starts the embedded engine if needed, and updates the schema.
 * @param options.target replaces the embedded engine or DATABASE_URL.
 * @param options.isMigrated true if another process has just updated the schema.
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
) {
  let engine: Engine | null = null;
  let { target } = options;
  if (target === undefined) {
    if (config.databaseUrl === null) {
      engine = await startEngine({ dataDir: config.dataDir, logger });
      ({ target } = engine);
    } else target = { connectionString: config.databaseUrl };
  }
  const { hasPrepared, listenTarget } = readSessions(config, target);
  const pool = createPool(target, options.maxConnections, logger);
  /** Pool adapted for Kysely. */
  const queryable = queryablePool(pool, hasPrepared);
  const { tracing = null } = options;
  const onQuery = tracing === null ? null : traceQueries(tracing);
  const db = createDbOn(queryable, onQuery);
  /** Closes the connections, then stops the embedded engine. */
  const close = async () => {
    await db.destroy();
    await engine?.stop();
  };
  let applied: string[] = [];
  try {
    if (options.isMigrated !== true) {
      if (engine !== null) await options.beforeUpgrade?.(db);
      applied = await migrateToLatest(db);
      const last = applied.at(-1);
      if (last !== undefined) logger.info({ count: applied.length, last }, "migrated");
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    target,
    /** Names of the migrations that this call applied. */
    applied,
    /** Database to receive notifications from. Null behind a pooler without a direct address. */
    listenTarget,
    /** True if statements are prepared. */
    hasPrepared,
    pool,
    queryable,
    db,
    close,
  };
}

export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** Returns what connections can do. A pooler in between limits that. */
function readSessions(config: DatabaseConfig, target: DatabaseTarget) {
  const { databaseListenUrl: listenUrl, hasPooler } = config;
  const own = hasPooler ? null : target;
  return {
    listenTarget: listenUrl === null ? own : { connectionString: listenUrl },
    hasPrepared: config.preparedStatements ?? !hasPooler,
  };
}
