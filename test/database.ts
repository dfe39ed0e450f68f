import pg from "pg";
import { inject } from "vitest";
import {
  type Db,
  type SocketTarget,
  connectionOptions,
  createDb,
  createPool,
} from "#server/db/connection.ts";
import { newToken } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { shared } from "./shared.ts";
import { templateName } from "./template-name.ts";

export interface TestDatabase {
  target: SocketTarget;
  pool: pg.Pool;
  db: Db;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database with the current schema on the engine of this test run, which takes
 * some tens of milliseconds.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(templateName);
}

/** Creates a database with the current schema for all tests of a file. */
export const useTestDatabase = (): TestDatabase =>
  shared(createTestDatabase, (database) => database.drop());

/**
 * Creates a database without a schema, for tests of migrations.
 * @param template may be followed by options, as in `create database`.
 */
export function createEmptyDatabase(template = "template1"): Promise<TestDatabase> {
  return createDatabase(template);
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const engine = inject("testEngine");
  const database = `test_${newToken(9)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "_")}`;
  // Copying files takes a sixth of the processor time of copying through the log, the default.
  await administer(engine, `create database ${database} template ${template} strategy file_copy`);
  const target = { ...engine, database };
  const pool = createPool(target, 8, createLogger("error"));
  const db = createDb(pool);
  return {
    target,
    pool,
    db,
    drop: async () => {
      await db.destroy();
      // Kysely doesn't close a pool that it never used.
      if (!pool.ending) await pool.end();
      // Waits a little for closing connections. The second call cuts the remaining ones.
      await administer(engine, `drop database if exists ${database}`).catch(() =>
        administer(engine, `drop database if exists ${database} with (force)`),
      );
    },
  };
}

async function administer(engine: SocketTarget, statement: string): Promise<void> {
  const client = new pg.Client(connectionOptions(engine));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
