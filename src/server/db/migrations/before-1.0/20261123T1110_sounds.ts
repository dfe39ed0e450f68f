import { sql, type Kysely } from "kysely";

/** Which sounds the ladder of each video has. Ladders that are divided now are divided again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column sounds jsonb not null default '[]'`.execute(db);
  await sql`
    create trigger stamp_video_sounds before update of sounds
    on videos for each row execute function stamp_video()`.execute(db);
  // Their results have another form, and processing makes up for what is missing here.
  await sql`delete from ladder_parts`.execute(db);
}
