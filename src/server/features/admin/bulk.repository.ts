import { sql } from "kysely";
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

export async function insertIds(db: DbOrTrx, jobId: string, ids: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into bulk_job_videos (job_id, video_id)
    select ${jobId}::uuid, v.id from videos v where v.id = any(${ids}::uuid[])
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Takes the next part out of what is to do; empty when nothing is left. */
export async function takePart(trx: Trx, jobId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ video_id: string }>`
    delete from bulk_job_videos where job_id = ${jobId} and video_id in (
      select video_id from bulk_job_videos where job_id = ${jobId}
      order by video_id limit ${most})
    returning video_id`.execute(trx);
  // In the order in which everybody locks videos.
  return rows.map((row) => row.video_id).toSorted();
}

/** Ended jobs are remembered for a month. */
export async function deleteOldBulkJobs(db: DbOrTrx): Promise<void> {
  await sql`delete from bulk_jobs where updated_at < now() - interval '30 days'`.execute(db);
}
