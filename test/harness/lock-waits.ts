import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

/**
 * Counts the statements that wait for a lock in this database. Other tests have separate databases.
 */
export async function countLockWaits(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ waits: number }>`
    select count(*)::int as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waits ?? 0;
}
