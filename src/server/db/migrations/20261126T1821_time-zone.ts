import { sql, type Kysely } from "kysely";

/** The time zone of the days and hours of ads. Days that were counted stay as they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column time_zone text not null default 'UTC'`.execute(db);
}
