import { sql, type Kysely } from "kysely";

/** Files that were replaced, and from when on no cached page asks for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retired_files (
      key text primary key,
      goes_at timestamptz not null
    )`.execute(db);
}
