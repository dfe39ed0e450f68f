import type pg from "pg";
import type { Config } from "../config.ts";
import type { Logger } from "../lib/logger.ts";
import { createDb, createPool, type DatabaseTarget, type Db } from "./connection.ts";
import { startEngine, type Engine } from "./engine/engine.ts";
import { migrateToLatest } from "./migrate.ts";

export interface OpenDatabase {
  target: DatabaseTarget;
  pool: pg.Pool;
  db: Db;
  /** Ends the connections, then the embedded engine. */
  close(): Promise<void>;
}

/**
 * Starts the embedded engine if one is needed, and brings the schema up to date.
 * @param options.target instead of the embedded engine or DATABASE_URL.
 * @param options.isMigrated whether another process has just done so.
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir" | "preparedStatements">,
  logger: Logger,
  options: { maxConnections: number; target?: DatabaseTarget | undefined; isMigrated?: boolean },
): Promise<OpenDatabase> {
  let engine: Engine | null = null;
  let { target } = options;
  if (target === undefined) {
    if (config.databaseUrl === null) {
      engine = await startEngine({ dataDir: config.dataDir, logger });
      ({ target } = engine);
    } else target = { connectionString: config.databaseUrl };
  }
  const pool = createPool(target, options.maxConnections, logger);
  const db = createDb(pool, config.preparedStatements);
  const close = async () => {
    await db.destroy();
    await engine?.stop();
  };
  try {
    if (options.isMigrated !== true) {
      for (const name of await migrateToLatest(db)) logger.info({ migration: name }, "migrated");
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { target, pool, db, close };
}
