import { sql, type Kysely } from "kysely";

/** How loud the sound of each video is, and the gains that its files have; whether all are made even. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column loudness jsonb,
      add column file_gain_db real not null default 0,
      add column ladder_gain_db real not null default 0`.execute(db);
  await sql`
    create trigger stamp_video_loudness before update of loudness, file_gain_db, ladder_gain_db
    on videos for each row execute function stamp_video()`.execute(db);
  await sql`alter table settings add column even_loudness boolean not null default true`.execute(
    db,
  );
}
