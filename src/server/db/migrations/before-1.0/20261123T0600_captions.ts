import { sql, type Kysely } from "kysely";

/**
 * Tracks of captions of a video, in its row: so they are shown, kept in the trash and put back with
 * it. What visitors see of a video changes with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column captions jsonb not null default '[]'`.execute(db);
  await sql`
    create trigger stamp_video_captions before update of captions
    on videos for each row execute function stamp_video()`.execute(db);
}
