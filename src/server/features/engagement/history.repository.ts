import { sql } from "kysely";
import type { Db, Trx } from "#server/db/connection.ts";
import {
  addPartitions,
  dropPartitions,
  inUpkeep,
  listPartitions,
  type PartitionedTable,
} from "#server/db/partitions.ts";

const tables: readonly PartitionedTable[] = [
  { table: "watches", column: "updated_at", unit: "month", ahead: 2 },
  { table: "video_stats_hourly", column: "hour", unit: "day", ahead: 3 },
  { table: "video_stats_daily", column: "day", unit: "month", ahead: 2 },
];

export async function addHistoryPartitions(db: Db, now: Date): Promise<void> {
  for (const table of tables) await addPartitions(db, table, now);
}

/** Drops whole partitions of plays and days before this time. */
export async function dropHistory(db: Db, before: Date): Promise<void> {
  await dropPartitions(db, "watches", before);
  await dropPartitions(db, "video_stats_daily", before);
}

/** Ranges of lists need 720 hours. The margin covers clocks that are set back. */
const hoursKept = 32 * 24;

/**
 * Folds hours that no range needs into days. During that time, only withdrawn likes of that day
 * have to wait.
 */
export async function foldHours(db: Db, signal: AbortSignal): Promise<void> {
  const before = await findFoldLimit(db);
  for (const { name, end } of await listPartitions(db, "video_stats_hourly")) {
    if (end > before || signal.aborted) break;
    await inUpkeep(db, async (trx) => {
      await sql`lock table ${sql.table(name)} in share mode`.execute(trx);
      await addToDays(trx, sql`select * from ${sql.table(name)}`);
      await sql`drop table ${sql.table(name)}`.execute(trx);
    });
  }
  // Applies likes that were withdrawn after their day was folded.
  await inUpkeep(db, (trx) =>
    addToDays(trx, sql`delete from video_stats_hourly_rest where hour < ${before} returning *`),
  );
}

async function findFoldLimit(db: Db): Promise<Date> {
  const { rows } = await sql<{ before: Date }>`
    select hour - make_interval(hours => ${sql.lit(hoursKept)}) as before from ranking_window`.execute(
    db,
  );
  return rows[0]?.before ?? new Date(0);
}

async function addToDays(trx: Trx, hours: ReturnType<typeof sql>): Promise<void> {
  await sql`
    with hours as (${hours})
    insert into video_stats_daily as d
      (video_id, day, views, unranked_views, engaged, completed, likes, watch_time_s)
    select video_id, date_trunc('day', hour, 'UTC'), sum(views), sum(unranked_views), sum(engaged),
      sum(completed), sum(likes), sum(watch_time_s)
    from hours group by 1, 2
    on conflict (video_id, day) do update set
      views = d.views + excluded.views,
      unranked_views = d.unranked_views + excluded.unranked_views, engaged = d.engaged + excluded.engaged,
      completed = d.completed + excluded.completed, likes = d.likes + excluded.likes,
      watch_time_s = d.watch_time_s + excluded.watch_time_s`.execute(trx);
}
