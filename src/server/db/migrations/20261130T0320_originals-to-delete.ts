import { sql, type Kysely } from "kysely";

/** Marks originals that don't stay, so that their deletion can be queued again after a restore. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos add column drops_original boolean not null default false;
    create index videos_drops_original_idx on videos (id) where drops_original`.execute(db);
}
