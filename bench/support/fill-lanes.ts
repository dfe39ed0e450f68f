import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

/** Connection tuned for bulk writes. */
export type Lane = Db;

/** Does the same work on several connections that share an iterator. */
export async function runLanes(
  pool: Db,
  lanes: number,
  work: (lane: Lane) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, () =>
      pool.connection().execute(async (lane) => {
        // Disables triggers and foreign keys, because the generated rows are consistent.
        await sql`set session_replication_role = replica`.execute(lane);
        await sql`set synchronous_commit = off`.execute(lane);
        await sql`set wal_compression = off`.execute(lane);
        await sql`set work_mem = '256MB'`.execute(lane);
        await sql`set maintenance_work_mem = '1GB'`.execute(lane);
        // The lanes already use all processors.
        await sql`set max_parallel_maintenance_workers = 0`.execute(lane);
        try {
          await work(lane);
        } finally {
          await sql`reset all`.execute(lane);
        }
      }),
    ),
  );
}

interface DroppedIndex {
  name: string;
  definition: string;
}

/**
 * Drops indexes that only speed up reads. Dropping a table's index drops those of its partitions.
 */
export async function dropIndexes(db: Db): Promise<DroppedIndex[]> {
  const { rows } = await sql<DroppedIndex>`
    select c.relname as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(
        array['videos', 'video_categories', 'video_tags', 'video_actors', 'video_stats_hourly',
          'video_range_scores', 'video_search', 'watches']::regclass[]) and not i.indisunique
    order by pg_relation_size(i.indrelid) desc, 1`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows;
}

export async function createIndexes(
  pool: Db,
  lanes: number,
  indexes: readonly DroppedIndex[],
  onProgress: (done: string) => void,
): Promise<void> {
  const left = indexes.values();
  await runLanes(pool, lanes, async (lane) => {
    for (const { name, definition } of left) {
      await sql.raw(definition).execute(lane);
      onProgress(`index ${name}`);
    }
  });
}
