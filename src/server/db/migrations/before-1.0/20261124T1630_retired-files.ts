import { sql, type Kysely } from "kysely";

/** Replaced files, and the time from which no cached page requests them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retired_files (
      key text primary key,
      goes_at timestamptz not null
    )`.execute(db);
}
