import { sql, type Kysely } from "kysely";

/** Stores when a video's timing last changed, because statistics of earlier plays don't fit it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column timing_since timestamptz`.execute(db);
}
