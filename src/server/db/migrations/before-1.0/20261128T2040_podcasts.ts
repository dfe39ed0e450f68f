import { sql, type Kysely } from "kysely";

/** Labels and sites whose feeds are podcasts, and the sound of their videos as a file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["categories", "tags", "actors"]) {
    await sql`alter table ${sql.table(table)}
      add column is_podcast boolean not null default false`.execute(db);
  }
  await sql`
    alter table settings
      add column podcast boolean not null default false,
      add column podcast_category text not null default 'TV & Film'`.execute(db);
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)} add column audio_key text`.execute(db);
  }
}
