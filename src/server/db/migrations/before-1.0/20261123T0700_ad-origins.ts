import { sql, type Kysely } from "kysely";

/** Where scripts and frames of ads may come from: of one ad, and of all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ads add column origins text[] not null default '{}'`.execute(db);
  await sql`alter table settings add column ad_origins text[] not null default '{}'`.execute(db);
}
