import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator, type Migration, type MigrationProvider } from "kysely/migration";
import { hasCode, OperatorError } from "#server/lib/app-error.ts";
import type { Db, DbOrTrx } from "./connection.ts";

const folder = new URL("migrations/", import.meta.url);

/**
 * Migrations in this folder, named by time and subject. Never edit a released migration: add
 * another one. `migrate.test.ts` verifies the content of released ones.
 */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  await Promise.all(
    readdirSync(folder)
      .toSorted()
      .map(async (file): Promise<[string, Migration]> => [
        file.replace(/\.ts$/, ""),
        await import(new URL(file, folder).href),
      ]),
  ),
);

/**
 * Error for a database with migrations that this version doesn't know. The message is for
 * operators.
 */
class UnknownSchemaError extends OperatorError {
  constructor(migration: string) {
    // Migrations before 0.2.0 had a number and no time.
    const isFirstVersion = /^\d{4}-/.test(migration);
    super(
      isFirstVersion
        ? `The database was created by Kinora 0.1 (migration ${migration}), which no later version can upgrade. Use an empty DATA_DIR or database, and import the videos there: set IMPORT_DIR to storage/objects/sources of the old DATA_DIR (see docs/import-export.md).`
        : `The database was created by a newer version of Kinora (migration ${migration}). Start that version or a newer one, or use an empty database.`,
    );
  }
}

/** Returns the names of the applied migrations; empty for a new database. */
export async function listApplied(db: DbOrTrx): Promise<string[]> {
  const table = await sql<{ found: string | null }>`
    select to_regclass('kysely_migration')::text as found`.execute(db);
  if (table.rows[0]?.found == null) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Kysely's lock, so that earlier versions of the program also wait for it. */
const lockId = 3_853_314_791_062_309_107n;

/**
 * Timeout for table locks. A statement that waits for a lock blocks all later ones. So a migration
 * on a running site gives up after this time, lets them pass, and retries.
 */
const lockTimeoutMs = 2000;
const pauseMs = 500;
const maxTries = 40;

/**
 * Updates the schema. Takes a lock, so several processes may call it at once.
 * @returns the names of the migrations applied.
 * @throws UnknownSchemaError if another version changed the database; OperatorError if other
 * transactions keep the tables locked.
 */
export async function migrateToLatest(
  db: Db,
  all = migrations,
  options = { lockTimeoutMs },
): Promise<string[]> {
  const patient = Object.entries(all).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(trx) {
        await sql`select set_config('lock_timeout', ${String(options.lockTimeoutMs)}, true)`.execute(
          trx,
        );
        await migration.up(trx);
      },
    },
  ]);
  const provider: MigrationProvider = {
    getMigrations: () => Promise.resolve(Object.fromEntries(patient)),
  };
  const migrate = () =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(trx);
      const unknown = (await listApplied(trx)).find((name) => all[name] === undefined);
      if (unknown !== undefined) throw new UnknownSchemaError(unknown);
      // A branch that was merged late may contain an earlier timestamp. Its migration is also
      // applied.
      const migrator = new Migrator({ db: trx, provider, allowUnorderedMigrations: true });
      const { error, results } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      return (results ?? []).map((result) => result.migrationName);
    });
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrate();
    } catch (error) {
      if (!hasCode(error, "55P03")) throw error;
      if (tries === maxTries) {
        throw new OperatorError(
          "Couldn't change the schema because another transaction has locked its tables. End that transaction (for example a long report), and start again.",
          { cause: error },
        );
      }
    }
    await wait(pauseMs);
  }
}
