import { sql, type Kysely } from "kysely";

/** Counts the edits, so that no user overwrites those of another one unseen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["ads", "campaigns", "advertisers", "settings"]) {
    await sql`
      alter table ${sql.id(table)} add column version integer not null default 1`.execute(db);
  }
}
