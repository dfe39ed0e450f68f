import { sql, type Kysely } from "kysely";

/** The quality that a trial found for the ladder of a video, for all workers that make a part of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)} add column ladder_crf real`.execute(db);
  }
}
