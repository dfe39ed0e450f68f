import { sql, type Kysely } from "kysely";

/**
 * Which request of which process writes an upload now. Unlogged: a crash of the database ends the
 * requests as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table upload_locks (
      upload_id uuid primary key,
      holder text not null,
      expires_at timestamptz not null,
      is_wanted boolean not null default false
    )`.execute(db);
}
