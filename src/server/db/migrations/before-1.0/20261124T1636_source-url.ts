import { sql, type Kysely } from "kysely";

/**
 * Adds the column for the address of the source code. It was first added to the migration of the
 * settings after 0.2.0 had been released, so databases of 0.2.0 lack it and others have it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column if not exists source_url text`.execute(db);
}
