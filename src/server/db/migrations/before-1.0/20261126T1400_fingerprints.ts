import { sql, type Kysely } from "kysely";

/** Hashes of ten frames of each video, to find encoded copies of blocked files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["videos", "video_replacements", "blocked_files"]) {
    await sql`
      alter table ${sql.table(table)}
      add column fingerprint bytea check (length(fingerprint) = 80)`.execute(db);
  }
}
