import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";

export type BulkRow = Selectable<Database["bulk_jobs"]>;

/** Returns whether a job has neither ended nor been cancelled. */
export const isInProgress = (row: BulkRow) => row.state === "waiting" || row.state === "running";

export async function insertBulkRow(
  trx: Trx,
  row: Insertable<Database["bulk_jobs"]>,
): Promise<void> {
  await trx.insertInto("bulk_jobs").values(row).execute();
}

export async function updateBulkRow(
  trx: Trx,
  id: string,
  values: Updateable<Database["bulk_jobs"]>,
): Promise<void> {
  await trx
    .updateTable("bulk_jobs")
    .set({ ...values, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}

/** Marks a job as failed unless it has ended. */
export async function failBulkRow(db: DbOrTrx, id: string, reason: string): Promise<void> {
  await db
    .updateTable("bulk_jobs")
    .set({ state: "failed", failure_reason: reason, updated_at: new Date() })
    .where("id", "=", id)
    .where("state", "in", ["waiting", "running"])
    .execute();
}

export async function findBulkRow(db: DbOrTrx, id: string): Promise<BulkRow | null> {
  const row = await db.selectFrom("bulk_jobs").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Returns the ids of jobs that have neither ended nor been cancelled. */
export async function listInProgress(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom("bulk_jobs")
    .select("id")
    .where("state", "in", ["waiting", "running"])
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks the job, so that two workers can't run the same part. */
export async function lockBulkRow(trx: Trx, id: string): Promise<BulkRow | null> {
  const row = await trx
    .selectFrom("bulk_jobs")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the latest jobs, newest first. */
export async function listBulkRows(db: DbOrTrx, limit: number): Promise<BulkRow[]> {
  return db
    .selectFrom("bulk_jobs")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Builds a query for the given ids that exist. */
export function existingIds(ids: readonly string[]): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select v.id from videos v where v.id = any(${[...ids]}::uuid[])`;
}

/** Stores the ids of a job's videos in parts of this size. @returns the number of videos. */
export async function insertParts(
  trx: Trx,
  jobId: string,
  ids: RawBuilder<{ id: string }>,
  partSize: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with numbered as (
      select id, (row_number() over (order by id) - 1) / ${partSize}::int as part from (${ids}) found
    ), parts as (
      insert into bulk_job_parts (job_id, position, video_ids)
      select ${jobId}::uuid, part, array_agg(id order by id) from numbered group by part
      returning cardinality(video_ids) as size
    )
    select coalesce(sum(size), 0)::int as total from parts`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Removes the next part of a job and returns its ids in order; empty if none are left. */
export async function takePart(trx: Trx, jobId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    delete from bulk_job_parts where job_id = ${jobId} and position = (
      select min(position) from bulk_job_parts where job_id = ${jobId})
    returning video_ids as ids`.execute(trx);
  return rows[0]?.ids ?? [];
}

/** Removes the waiting parts without waiting for the running one. @returns the number removed. */
export async function deleteWaitingParts(db: DbOrTrx, jobId: string): Promise<number> {
  const { rows } = await sql`
    delete from bulk_job_parts where job_id = ${jobId} and position in (
      select position from bulk_job_parts where job_id = ${jobId} for update skip locked)
    returning position`.execute(db);
  return rows.length;
}

export async function deleteParts(trx: Trx, jobId: string): Promise<void> {
  await trx.deleteFrom("bulk_job_parts").where("job_id", "=", jobId).execute();
}

/** Deletes jobs that ended more than a month ago. */
export async function deleteOldBulkJobs(db: DbOrTrx): Promise<void> {
  await sql`delete from bulk_jobs where updated_at < now() - interval '30 days'`.execute(db);
}
