import { sql, type Kysely } from "kysely";

/**
 * Clips: videos made from a passage of a longer one. What the longer video restricts also holds for
 * them. Triggers copy it to the `held_` columns, and the columns that all code reads combine both.
 * `is_listed` and `is_reachable` stay the only definitions of what visitors see.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column clip_of uuid,
      add column clip_start_s double precision,
      add column clip_end_s double precision,
      add column clip_plan jsonb,
      add column held_visibility text not null default 'public'
        check (held_visibility in ('public', 'unlisted', 'private', 'hidden')),
      add column held_sensitive boolean not null default false,
      add column held_countries text[] not null default '{}'`.execute(db);
  await sql`create index videos_clips_idx on videos (clip_of) where clip_of is not null`.execute(
    db,
  );
  await sql`
    alter table removed_videos add column clips text check (clips in ('keep', 'remove'))`.execute(
    db,
  );

  // PostgreSQL before 17 can't change the expression of a column. Indexes and triggers that name
  // the columns are dropped with them and restored in the same transaction. Nothing is taken away
  // ("Unused since ..." of a contraction).
  const { rows: indexes } = await sql<{ text: string }>`
    select pg_get_indexdef(indexrelid) as text from pg_index
    where indrelid = 'videos'::regclass
      and pg_get_indexdef(indexrelid) ~ 'is_(listed|reachable|linkable)'`.execute(db);
  const { rows: triggers } = await sql<{ text: string }>`
    select pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = 'videos'::regclass and not tgisinternal
      and pg_get_triggerdef(oid) ~ 'is_(listed|reachable|linkable)'`.execute(db);
  await sql`
    alter table videos drop column is_listed cascade, drop column is_reachable cascade,
      drop column is_linkable cascade`.execute(db);
  await sql`
    alter table videos
      add column is_listed boolean not null generated always as (is_published
        and status = 'ready' and visibility = 'public' and held_visibility = 'public') stored,
      add column is_reachable boolean not null generated always as (is_published
        and status = 'ready' and visibility <> 'private'
        and held_visibility in ('public', 'unlisted')) stored,
      add column is_linkable boolean not null generated always as (is_published
        and status = 'ready' and visibility = 'private' and held_visibility <> 'hidden') stored,
      add column shown_visibility text not null generated always as (case
        when visibility = 'private' or held_visibility in ('private', 'hidden') then 'private'
        when visibility = 'unlisted' or held_visibility = 'unlisted' then 'unlisted'
        else 'public' end) stored,
      add column is_age_limited boolean not null
        generated always as (is_sensitive or held_sensitive) stored,
      add column closed_countries text[] not null
        generated always as (blocked_countries || held_countries) stored`.execute(db);
  for (const { text } of [...indexes, ...triggers]) await sql.raw(text).execute(db);
  await sql`analyze videos`.execute(db);

  await sql`
    create function what_holds(v videos) returns text language sql immutable as $$
      select case when v.is_published then v.visibility else 'hidden' end
    $$`.execute(db);
  await sql`
    create function hold_clips() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update videos set held_visibility = 'hidden'
        where clip_of = old.id and held_visibility <> 'hidden';
        return null;
      end if;
      update videos set held_visibility = what_holds(new), held_sensitive = new.is_sensitive,
        held_countries = new.blocked_countries
      where clip_of = new.id and (held_visibility, held_sensitive, held_countries)
        is distinct from (what_holds(new), new.is_sensitive, new.blocked_countries);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger hold_clips after update of is_published, visibility, is_sensitive, blocked_countries
    on videos for each row when (new.clip_of is null and
      (old.is_published, old.visibility, old.is_sensitive, old.blocked_countries) is distinct from
      (new.is_published, new.visibility, new.is_sensitive, new.blocked_countries))
    execute function hold_clips()`.execute(db);
  // A video that leaves the trash.
  await sql`
    create trigger hold_clips_again after insert on videos for each row when (new.clip_of is null)
    execute function hold_clips()`.execute(db);
  await sql`
    create trigger hide_clips after delete on videos for each row when (old.clip_of is null)
    execute function hold_clips()`.execute(db);

  await sql`
    create function hold_new_clip() returns trigger language plpgsql as $$
    declare long videos;
    begin
      -- Waits for changes of the long video, which would otherwise miss the new clip.
      perform from removed_videos where id = new.clip_of for share;
      select * into long from videos where id = new.clip_of for share;
      if found then
        new.held_visibility := what_holds(long);
        new.held_sensitive := long.is_sensitive;
        new.held_countries := long.blocked_countries;
      elsif exists (select from removed_videos where id = new.clip_of) then
        new.held_visibility := 'hidden';
      else
        -- Its long video was deleted for good while the clip was in the trash.
        new.clip_of := null;
        new.is_published := false;
        new.held_visibility := 'public';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger hold_new_clip before insert on videos for each row when (new.clip_of is not null)
    execute function hold_new_clip()`.execute(db);

  // Generated columns fire no "update of", so these list the columns that they depend on.
  await sql`
    create trigger stamp_video_clips before update of clip_of, held_visibility, held_sensitive, held_countries
    on videos for each row execute function stamp_video()`.execute(db);
  await sql`drop trigger note_changed_video on videos`.execute(db);
  await sql`
    create trigger note_changed_video
    after update of status, is_published, visibility, held_visibility on videos
    for each row when ((old.status, old.is_published, old.visibility, old.held_visibility)
      is distinct from (new.status, new.is_published, new.visibility, new.held_visibility))
    execute function note_video_events()`.execute(db);
}
