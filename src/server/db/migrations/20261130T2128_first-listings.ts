import { sql, type Kysely } from "kysely";

/**
 * Gives a video that was published unlisted, private or unfinished the time of its first listing as
 * its date. Existing videos keep their dates, because some were listed before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // With a default, PostgreSQL adds a column without writing every row.
  await sql`alter table videos add column was_listed boolean not null default true`.execute(db);
  await sql`alter table videos alter column was_listed set default false`.execute(db);
  // Without the column, a video from the trash would count as never listed.
  await sql`
    update removed_videos set kept_rows = jsonb_set(kept_rows, '{videos,0,was_listed}', 'true')
    where kept_rows->'videos'->0 is not null`.execute(db);
  await sql`
    create function note_first_listing() returns trigger language plpgsql as $$
    begin
      -- Publishing sets a date, but keeps that of an earlier publication.
      if not old.is_listed and (old.is_published or new.published_at = old.published_at) then
        new.published_at := now();
      end if;
      new.was_listed := true;
      return new;
    end $$`.execute(db);
  // Generated columns don't have their new value yet.
  await sql`
    create trigger note_first_listing
    before update of status, is_published, visibility, held_visibility on videos
    for each row when (not old.was_listed and (old.is_listed or (new.is_published
      and new.status = 'ready' and new.visibility = 'public' and new.held_visibility = 'public')))
    execute function note_first_listing()`.execute(db);
}
