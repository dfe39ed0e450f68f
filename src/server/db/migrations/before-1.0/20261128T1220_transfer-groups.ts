import { sql, type Kysely } from "kysely";

/** Keyed hash of the sender's address group, so that one group can't use up all transfers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_transfers add column address_group text`.execute(db);
}
