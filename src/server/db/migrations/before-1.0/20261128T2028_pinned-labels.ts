import { sql, type Kysely } from "kysely";

/** Labels whose videos are rows on the home page, as objects with `kind` and `id`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings add column pinned_labels jsonb not null default '[]'`.execute(db);
}
