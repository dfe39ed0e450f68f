import { sql, type Kysely } from "kysely";

/** Stores when a video's timing last changed, because statistics of earlier plays don't fit it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column timing_since timestamptz`.execute(db);
  // The first cut of a video. Nothing tells when it was cut again.
  await sql`update videos set timing_since = cut_at where cut_at is not null`.execute(db);
}
