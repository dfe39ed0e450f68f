import { sql, type Kysely } from "kysely";

/** What was repaired in a row of an import from another site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_rows add column note text`.execute(db);
}
