import { sql, type Kysely } from "kysely";

/** Stores the address from which the identifier of a podcast is made, so that it outlives renames. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["settings", "categories", "tags", "actors"]) {
    await sql`alter table ${sql.table(table)} add column podcast_guid_base text`.execute(db);
  }
}
