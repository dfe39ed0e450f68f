import { sql, type Kysely } from "kysely";

/** Adds the address that podcast feeds show as their owner's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column podcast_email text`.execute(db);
}
