import { sql, type Kysely } from "kysely";

/**
 * Videos whose files may break today's rules. Processing clears the flag. Older releases don't, so
 * videos that they process during the upgrade are reviewed, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)}
      add column needs_review boolean not null default true`.execute(db);
  }
  await sql`create index videos_needs_review_idx on videos (id) where needs_review`.execute(db);
}
