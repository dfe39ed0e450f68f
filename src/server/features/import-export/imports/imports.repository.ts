import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";

export type ImportRecord = Selectable<Database["imports"]>;
export type ImportRow = Selectable<Database["import_rows"]>;
export type Outcome = NonNullable<ImportRow["outcome"]>;

const storedAtOnce = 500;

export async function insertImport(trx: Trx, row: Insertable<Database["imports"]>): Promise<void> {
  await trx.insertInto("imports").values(row).execute();
}

export async function insertRows(
  trx: Trx,
  rows: readonly Insertable<Database["import_rows"]>[],
): Promise<void> {
  await trx.insertInto("import_rows").values(rows).execute();
}

export async function findImport(db: DbOrTrx, id: string): Promise<ImportRecord | null> {
  const row = await db.selectFrom("imports").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Returns the ids of imports that a job is or should be working on. */
export async function listInProgress(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom("imports")
    .select("id")
    .where("state", "in", ["checking", "running"])
    .execute();
  return rows.map(({ id }) => id);
}

export async function lockImport(trx: Trx, id: string): Promise<ImportRecord | null> {
  const row = await trx
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the latest imports, newest first. */
export async function listImports(db: DbOrTrx, limit: number): Promise<ImportRecord[]> {
  return db
    .selectFrom("imports")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function updateImport(
  db: DbOrTrx,
  id: string,
  values: Updateable<Database["imports"]>,
): Promise<void> {
  await db
    .updateTable("imports")
    .set({ ...values, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}

/**
 * Stores the rows and counts of a finished check, in place of those of an earlier attempt. Does
 * nothing if the import was cancelled in the meantime.
 */
export async function storeCheck(
  trx: Trx,
  id: string,
  rows: readonly Insertable<Database["import_rows"]>[],
  note: string,
): Promise<void> {
  const current = await lockImport(trx, id);
  if (current?.state !== "checking") return;
  await trx.deleteFrom("import_rows").where("import_id", "=", id).execute();
  for (let at = 0; at < rows.length; at += storedAtOnce) {
    await insertRows(trx, rows.slice(at, at + storedAtOnce));
  }
  const count = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome).length;
  await updateImport(trx, id, {
    ...{ state: "checked", note, total: rows.length, done: rows.length, updated: 0 },
    ...{ created: count("created"), unchanged: count("unchanged"), problems: count("problem") },
  });
}

/** Ends a check or a run unless it was cancelled. */
export async function endPass(db: DbOrTrx, id: string, isRun: boolean): Promise<void> {
  await db
    .updateTable("imports")
    .set({ state: isRun ? "done" : "checked", updated_at: new Date() })
    .where("id", "=", id)
    .where("state", "=", isRun ? "running" : "checking")
    .execute();
}

/** Marks an import as failed unless it has ended. */
export async function failImport(db: DbOrTrx, id: string, reason: string): Promise<void> {
  await db
    .updateTable("imports")
    .set({ state: "failed", failure_reason: reason, updated_at: new Date() })
    .where("id", "=", id)
    .where("state", "in", ["checking", "running"])
    .execute();
}

/** Deletes the results of an earlier check. */
export async function resetRows(trx: Trx, importId: string): Promise<void> {
  await trx
    .updateTable("import_rows")
    .set({ outcome: null, problem: null })
    .where("import_id", "=", importId)
    .execute();
}

/**
 * Returns the rows that a pass still has to handle: all for a check, only those with changes for a
 * run.
 */
export async function listRowsLeft(
  db: DbOrTrx,
  importId: string,
  { isRun, after, limit }: { isRun: boolean; after: number; limit: number },
): Promise<ImportRow[]> {
  return db
    .selectFrom("import_rows")
    .selectAll()
    .where("import_id", "=", importId)
    .where("position", ">", after)
    .$if(isRun, (query) =>
      query.where("outcome", "in", ["created", "updated"]).where("is_applied", "=", false),
    )
    .orderBy("position")
    .limit(limit)
    .execute();
}

export interface RowResult {
  position: number;
  outcome: Outcome;
  problem: string | null;
  /** What was repaired. */
  note?: string | null;
}

/**
 * Stores and counts the results of some rows. If the import was cancelled in the meantime, stores
 * nothing.
 * @returns false if it was cancelled.
 */
export async function storeResults(
  db: DbOrTrx,
  importId: string,
  results: readonly RowResult[],
  isRun: boolean,
): Promise<boolean> {
  const count = (outcome: Outcome) => results.filter((row) => row.outcome === outcome).length;
  const { rows } = await sql`
    with job as (
      update imports set done = done + ${results.length}, created = created + ${count("created")},
        updated = updated + ${count("updated")}, unchanged = unchanged + ${count("unchanged")},
        problems = problems + ${count("problem")}, updated_at = now()
      where id = ${importId} and state = ${isRun ? "running" : "checking"} returning id
    ), given as (
      select * from unnest(${results.map(({ position }) => position)}::int[],
        ${results.map(({ outcome }) => outcome)}::text[],
        ${results.map(({ problem }) => problem)}::text[],
        ${results.map(({ note = null }) => note)}::text[]) as g (position, outcome, problem, note)
    ), stored as (
      update import_rows r set outcome = g.outcome, problem = g.problem, note = g.note, is_applied = ${isRun}
      from given g, job where r.import_id = job.id and r.position = g.position
    )
    select id from job`.execute(db);
  return rows.length > 0;
}

/** Returns the rows with a problem after this position, in the order of the file. */
export async function listProblemRows(
  db: DbOrTrx,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ImportRow[]> {
  return db
    .selectFrom("import_rows")
    .selectAll()
    .where("import_id", "=", importId)
    .where("outcome", "=", "problem")
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute();
}

/** Returns the rows after this position, in order. @param isNoted true for those with a note. */
export async function listReportRows(
  db: DbOrTrx,
  importId: string,
  { after, limit, isNoted }: { after: number; limit: number; isNoted: boolean },
): Promise<ImportRow[]> {
  return db
    .selectFrom("import_rows")
    .selectAll()
    .where("import_id", "=", importId)
    .where("position", ">", after)
    .$if(isNoted, (query) => query.where("note", "is not", null))
    .orderBy("position")
    .limit(limit)
    .execute();
}

/**
 * Adds problems that aren't about a row of the source, unless they are there already. Does nothing if
 * the import was cancelled in the meantime.
 */
export async function addProblems(
  db: DbOrTrx,
  importId: string,
  problems: readonly { id: string; name: string; problem: string }[],
): Promise<void> {
  await sql`
    with job as (
      select id from imports where id = ${importId} and state in ('checked', 'running') for update
    ), given as (
      select g.* from job, unnest(${problems.map(({ id }) => id)}::uuid[],
        ${problems.map(({ name }) => name)}::text[], ${problems.map(({ problem }) => problem)}::text[])
        with ordinality as g (id, name, problem, rank)
      where not exists (select from import_rows r where r.import_id = job.id
        and r.problem = g.problem and r.cells[2] = g.name)
    ), last as (
      select coalesce(max(position), -1) as position from import_rows where import_id = ${importId}
    ), added as (
      insert into import_rows (import_id, position, line, target_id, cells, outcome, problem)
      select ${importId}, last.position + g.rank, last.position + g.rank + 1, g.id,
        array['', g.name], 'problem', g.problem
      from given g, last returning 1
    )
    update imports set problems = problems + (select count(*) from added),
      total = total + (select count(*) from added), done = done + (select count(*) from added)
    where id = ${importId}`.execute(db);
}

export async function listFirstRows(
  db: DbOrTrx,
  importId: string,
  limit: number,
): Promise<string[][]> {
  const rows = await db
    .selectFrom("import_rows")
    .select("cells")
    .where("import_id", "=", importId)
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map(({ cells }) => cells);
}

/** Deletes imports unchanged for a month, with their rows. */
export async function deleteOldImports(db: DbOrTrx): Promise<void> {
  await sql`delete from imports where updated_at < now() - interval '30 days'`.execute(db);
}
