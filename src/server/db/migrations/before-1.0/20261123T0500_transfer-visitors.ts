import { sql, type Kysely } from "kysely";

/** Whose favorites go along with a transfer; null where that visitor has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_transfers add column visitor_id uuid`.execute(db);
}
