import { sql, type Kysely } from "kysely";

/** Comments of visitors. What waits for a moderator, or is reported, has an entry among the reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table comments (
      id uuid primary key,
      video_id uuid not null references videos (id) on delete cascade,
      visitor_id uuid not null,
      name text,
      text text not null,
      state text not null check (state in ('held', 'shown', 'removed')),
      address_key text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create index comments_shown_idx on comments (video_id, id desc) where state = 'shown'`.execute(
    db,
  );
  await sql`create index comments_video_idx on comments (video_id)`.execute(db);
  await sql`create index comments_visitor_idx on comments (visitor_id)`.execute(db);
  await sql`
    create index comments_address_idx on comments (address_key, created_at)
    where address_key is not null`.execute(db);
  // No foreign key: a restored video brings its comments back under their ids.
  await sql`
    alter table reports
      add column comment_id uuid,
      drop constraint reports_kind_check,
      add constraint reports_kind_check check (kind in ('report', 'takedown', 'comment'))`.execute(
    db,
  );
  await sql`
    create index reports_comment_idx on reports (comment_id) where comment_id is not null`.execute(
    db,
  );
  await sql`
    alter table settings
      add column comments text not null default 'off' check (comments in ('off', 'held', 'open')),
      add column comment_words text[] not null default '{}',
      add column comment_links int not null default 1 check (comment_links between 0 and 20)`.execute(
    db,
  );
}
