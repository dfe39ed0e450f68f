import { sql, type Kysely } from "kysely";

/**
 * The SHA-256 of source files tells uploads of the same file. Those of before get it when it is
 * asked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)} add column source_sha256 bytea`.execute(db);
  }
  // Files of the same size are few: a hash is read only of them.
  await sql`create index videos_source_bytes_idx on videos (source_bytes)`.execute(db);
}
