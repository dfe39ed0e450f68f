import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { hasCode, OperatorError } from "#server/lib/app-error.ts";
import { compareWithFresh } from "./compare-schema.ts";
import type { Db, DbOrTrx, Trx } from "./connection.ts";

type Migrations = Readonly<Record<string, Migration>>;

const folder = new URL("migrations/", import.meta.url);
const formerFolder = new URL("before-1.0/", folder);
/** Last of the migrations that create the schema of 1.0.0 in an empty database. */
const lastOfBaseline = "20261129T0413_imports";

const namesIn = (place: URL): string[] =>
  readdirSync(place)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();

const readMigrations = async (place: URL): Promise<Migrations> =>
  Object.fromEntries(
    await Promise.all(
      namesIn(place).map(async (name): Promise<[string, Migration]> => [
        name,
        await import(new URL(`${name}.ts`, place).href),
      ]),
    ),
  );

/**
 * Migrations in this folder, named by time and subject. Never edit a released migration: add
 * another one. `migrate.test.ts` verifies the content of released ones.
 */
export const migrations = await readMigrations(folder);

/** Names of the migrations that databases from before 1.0.0 have applied. */
export const formerNames: ReadonlySet<string> = new Set(namesIn(formerFolder));

/** Reads the migrations from before 1.0.0. A new database never needs them. */
export const readFormerMigrations = () => readMigrations(formerFolder);

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
 * Lifts the time limits that the server, the database or the role sets for a transaction. Managed
 * servers often end one that is idle for minutes, as during the restore of a large file.
 */
export async function liftTimeouts(trx: Trx): Promise<void> {
  await sql`select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(
    trx,
  );
}

/**
 * Updates the schema. Takes a lock, so several processes may call it at once.
 * @param all the migrations to apply. With the current ones, which are the default, a database from
 * before 1.0.0 is first brought to their baseline.
 * @returns the names of the migrations applied.
 * @throws UnknownSchemaError if another version changed the database; OperatorError if other
 * transactions keep the tables locked, or if the schema isn't the one of its migrations.
 */
export async function migrateToLatest(
  db: Db,
  all: Migrations = migrations,
  options = { lockTimeoutMs },
): Promise<string[]> {
  const migrate = () =>
    db.transaction().execute(async (trx) => {
      await liftTimeouts(trx);
      await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(trx);
      const unknown = (await listApplied(trx)).filter((name) => all[name] === undefined);
      const isFormer = unknown.some((name) => formerNames.has(name));
      const left = isFormer ? await leaveFormerMigrations(trx, options) : [];
      const newer = unknown.find((name) => !isFormer || !formerNames.has(name));
      if (newer !== undefined) throw new UnknownSchemaError(newer);
      return [...left, ...(await apply(trx, all, options))];
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

async function apply(
  trx: Trx,
  all: Migrations,
  options: { lockTimeoutMs: number },
): Promise<string[]> {
  const patient = Object.entries(all).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        const timeout = String(options.lockTimeoutMs);
        await sql`select set_config('lock_timeout', ${timeout}, true)`.execute(db);
        await migration.up(db);
      },
    },
  ]);
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(patient)) };
  // A branch that was merged late may contain an earlier timestamp. Its migration is also applied.
  const migrator = new Migrator({ db: trx, provider, allowUnorderedMigrations: true });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/**
 * Applies the remaining migrations from before 1.0.0, and records the baseline in their place,
 * because it creates the same schema.
 */
async function leaveFormerMigrations(
  trx: Trx,
  options: { lockTimeoutMs: number },
): Promise<string[]> {
  const former = await readFormerMigrations();
  const unknown = (await listApplied(trx)).find((name) => former[name] === undefined);
  if (unknown !== undefined) throw new UnknownSchemaError(unknown);
  const applied = await apply(trx, former, options);
  const baseline = Object.entries(migrations).filter(([name]) => name <= lastOfBaseline);
  const differences = await compareWithFresh(
    trx,
    baseline.map(([, migration]) => migration),
  );
  if (differences === null) {
    throw new OperatorError(
      'This upgrade compares the database with a new one and needs permission to create a schema: run "grant create on database ... to ..." in psql, and start again.',
    );
  }
  const [first, ...others] = differences;
  if (first !== undefined) {
    throw new OperatorError(
      `The schema of the database isn't the one that Kinora created: ${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}. Nothing was changed. Undo the difference in psql. Or make a backup with the previous version, and restore it with this one into an empty database.`,
    );
  }
  await sql`delete from kysely_migration`.execute(trx);
  await sql`
    insert into kysely_migration (name, timestamp)
    select name, ${new Date().toISOString()} from unnest(${baseline.map(([name]) => name)}::text[]) as name`.execute(
    trx,
  );
  return applied;
}

/**
 * Compares the schema with a fresh one that the applied migrations create.
 * @returns one line per difference, or null without permission to create a schema.
 */
export async function findSchemaDifferences(db: Db): Promise<string[] | null> {
  const trx = await db.startTransaction().execute();
  try {
    const applied = await listApplied(trx);
    return await compareWithFresh(
      trx,
      applied.flatMap((name) => migrations[name] ?? []),
    );
  } finally {
    await trx.rollback().execute();
  }
}
