import { sql, type Kysely } from "kysely";

/** The language in which the sender of a report is told how it ended; null for that of the site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reports add column language text`.execute(db);
}
