import { sql, type Kysely } from "kysely";

/**
 * Who sees a published video: everyone in lists, those who know its address, or those with a secret one.
 * `is_listed` stays the only definition of what lists show; `is_reachable` is that of what its own
 * address shows, `is_linkable` of what a private link shows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column visibility text not null default 'public'
        check (visibility in ('public', 'unlisted', 'private')),
      add column link_secret text unique check (length(link_secret) >= 20),
      add column link_expires_at timestamptz`.execute(db);

  // PostgreSQL before 17 cannot change the expression of a column. Indexes and triggers that name the
  // column go with it, and come back as they were. Nothing is taken away ("Unused since ..." of a
  // contraction): all of it is one transaction.
  const { rows: indexes } = await sql<{ text: string }>`
    select pg_get_indexdef(indexrelid) as text from pg_index
    where indrelid = 'videos'::regclass and pg_get_indexdef(indexrelid) like '%is_listed%'`.execute(
    db,
  );
  const { rows: triggers } = await sql<{ text: string }>`
    select pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = 'videos'::regclass and not tgisinternal
      and pg_get_triggerdef(oid) like '%is_listed%'`.execute(db);
  await sql`alter table videos drop column is_listed cascade`.execute(db);
  await sql`
    alter table videos
      add column is_listed boolean not null
        generated always as (is_published and status = 'ready' and visibility = 'public') stored,
      add column is_reachable boolean not null
        generated always as (is_published and status = 'ready' and visibility <> 'private') stored,
      add column is_linkable boolean not null
        generated always as (is_published and status = 'ready' and visibility = 'private') stored`.execute(
    db,
  );
  for (const { text } of [...indexes, ...triggers]) await sql.raw(text).execute(db);
  await sql`analyze videos`.execute(db);

  await sql`
    create trigger stamp_video_visibility before update of visibility
    on videos for each row execute function stamp_video()`.execute(db);
  // A generated column fires no "update of": is_listed follows these three.
  await sql`drop trigger note_changed_video on videos`.execute(db);
  await sql`
    create trigger note_changed_video after update of status, is_published, visibility on videos
    for each row when ((old.status, old.is_published, old.visibility)
      is distinct from (new.status, new.is_published, new.visibility))
    execute function note_video_events()`.execute(db);
}
