import { sql, type Kysely } from "kysely";

/** The watched import folder: its settings, the files in it, and how the last look at it went. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column watch_folder boolean not null default false,
      add column watch_publishes boolean not null default false,
      add column watch_rest_s integer not null default 30`.execute(db);
  // The key is a hash of path, size and time, because a path can be too long for an index.
  await sql`
    create table watched_files (
      key bytea primary key,
      id uuid not null,
      path text not null,
      signature bytea not null,
      resting_since timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
      is_moved boolean not null default false,
      attempts integer not null default 0,
      retry_at timestamptz,
      note text,
      video_id uuid,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index watched_files_state_idx on watched_files (state, updated_at)`.execute(db);
  await sql`
    create table watched_folder (
      id integer primary key default 1 check (id = 1),
      looked_at timestamptz,
      problem text,
      place text
    )`.execute(db);
  await sql`insert into watched_folder default values`.execute(db);
}
