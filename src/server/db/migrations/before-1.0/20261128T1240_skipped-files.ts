import { sql, type Kysely } from "kysely";

/** Files that couldn't be made twice in the same way, and that a video lives without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)}
      add column skipped_files text[] not null default '{}'`.execute(db);
  }
}
