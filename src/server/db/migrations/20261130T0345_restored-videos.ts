import { sql, type Kysely } from "kysely";

/**
 * Tells webhooks about videos that are listed when they are inserted, which are those restored from
 * the trash. New videos are listed once they are ready.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_restored_video() returns trigger language plpgsql as $$
    begin
      perform note_webhook_event('video.published', jsonb_build_object('video',
        jsonb_build_object('id', new.id, 'slug', new.slug, 'title', new.title)));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_restored_video after insert on videos
    for each row when (new.is_listed) execute function note_restored_video()`.execute(db);
}
