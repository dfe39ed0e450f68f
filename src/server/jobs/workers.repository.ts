import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import type { JobName } from "./job-definition.ts";

/** A worker that was not seen for longer has died. */
const lostAfter = sql`interval '30 seconds'`;

export async function saveWorker(
  db: Db,
  id: string,
  lanes: Partial<Record<JobName, number>>,
): Promise<void> {
  await db
    .insertInto("job_workers")
    .values({ id, lanes: JSON.stringify(lanes) })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ lanes: sql`excluded.lanes`, seen_at: sql`excluded.seen_at` }),
    )
    .execute();
  await sql`delete from job_workers where seen_at < now() - ${lostAfter}`.execute(db);
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom("job_workers").where("id", "=", id).execute();
}

interface Workers {
  count: number;
  /** How many more jobs they could run now. Negative where jobs wait. */
  idleLanes: number;
}

/**
 * The processes that run a kind of job now.
 * @param busyWith jobs of these kinds that wait or run each take one of the lanes.
 */
export async function findWorkers(
  db: Db,
  name: JobName,
  busyWith: readonly JobName[],
): Promise<Workers> {
  const { rows } = await sql<Workers>`
    select count(*)::int as count,
      coalesce(sum((lanes->>${sql.val(name)})::int), 0)::int - (
        select count(*) from pgboss.job
        where job.name = any(${sql.val([...busyWith])}::text[])
          and state < 'completed' and start_after <= now()
      )::int as "idleLanes"
    from job_workers where seen_at >= now() - ${lostAfter}`.execute(db);
  return rows[0] ?? { count: 0, idleLanes: 0 };
}
