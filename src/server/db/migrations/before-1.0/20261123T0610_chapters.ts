import { sql, type Kysely } from "kysely";

/** Chapters of a video's file. Those of its description are read from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column chapters jsonb not null default '[]'`.execute(db);
  await sql`
    create trigger stamp_video_chapters before update of chapters
    on videos for each row execute function stamp_video()`.execute(db);
}
