import { sql, type Kysely } from "kysely";

/** Ads of editors wait until an administrator approves them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ads add column is_approved boolean not null default true`.execute(db);
}
