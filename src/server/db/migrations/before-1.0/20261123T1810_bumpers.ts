import { sql, type Kysely } from "kysely";

/** Which ads are bumpers: short, and shown where a pre-roll would not be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ads add column is_bumper boolean not null default false`.execute(db);
}
