import { sql, type RawBuilder } from "kysely";
import type { BulkJob } from "../../../contract/admin-videos.ts";
import type { Selectable } from "kysely";
import type { Database } from "../../db/schema.ts";
import type { DbOrTrx, Trx } from "../../db/connection.ts";

export type BulkRow = Selectable<Database["bulk_jobs"]>;

export function presentBulkJob(row: BulkRow): BulkJob {
  return {
    id: row.id,
    action: row.action,
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_email,
  };
}

export async function findBulkRow(db: DbOrTrx, id: string): Promise<BulkRow | null> {
  const row = await db.selectFrom("bulk_jobs").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Locks it, so that two workers never do the same part. */
export async function lockBulkRow(trx: Trx, id: string): Promise<BulkRow | null> {
  const row = await trx
    .selectFrom("bulk_jobs")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Those that are under way, and the last ones that ended. */
export async function listBulkRows(db: DbOrTrx, limit: number): Promise<BulkRow[]> {
  return db
    .selectFrom("bulk_jobs")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Those of these ids that exist, as a query. */
export function existingIds(ids: readonly string[]): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select v.id from videos v where v.id = any(${[...ids]}::uuid[])`;
}

/** Writes down what a job is about, in parts of this size; returns how many videos it is. */
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

/** Takes the next part out of what is to do, in the order of the ids; empty when nothing is left. */
export async function takePart(trx: Trx, jobId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    delete from bulk_job_parts where job_id = ${jobId} and position = (
      select min(position) from bulk_job_parts where job_id = ${jobId})
    returning video_ids as ids`.execute(trx);
  return rows[0]?.ids ?? [];
}

/** Ended jobs are remembered for a month. */
export async function deleteOldBulkJobs(db: DbOrTrx): Promise<void> {
  await sql`delete from bulk_jobs where updated_at < now() - interval '30 days'`.execute(db);
}
