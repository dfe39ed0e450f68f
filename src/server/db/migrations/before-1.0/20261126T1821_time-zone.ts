import { sql, type Kysely } from "kysely";

/** Time zone for the days and hours of ads. Counted days keep theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column time_zone text not null default 'UTC'`.execute(db);
}
