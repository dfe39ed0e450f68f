import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import { jobNames, type JobName } from "./queue.ts";

export interface QueueFigures {
  name: JobName;
  /** Number of jobs that could run now, and of jobs that are running. */
  waiting: number;
  active: number;
  /** Time since the oldest waiting job became due; 0 without one. */
  oldestS: number;
}

/**
 * Returns the state of the queue across all processes, by kind of job. Leaves out the job of the
 * watched folder while none is watched, because no worker may have a folder to run it.
 */
export async function listQueueFigures(db: Db): Promise<QueueFigures[]> {
  const { rows } = await sql<QueueFigures>`
    select names.name,
      count(*) filter (where state in ('created', 'retry') and start_after <= now())::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      coalesce(extract(epoch from now() - min(start_after)
        filter (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as "oldestS"
    from unnest(${sql.val([...jobNames])}::text[]) as names (name)
    left join pgboss.job on job.name = names.name and state < 'completed'
    where names.name <> 'import.watch' or (select watch_folder from settings where id = 1)
    group by names.name`.execute(db);
  return rows;
}
