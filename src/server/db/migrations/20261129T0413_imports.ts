import { sql, type Kysely } from "kysely";

/** Imports from CSV files and other sites, old addresses of moved videos, and the watched folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id uuid primary key,
      kind text not null,
      file_name text not null,
      state text not null default 'draft'
        check (state in ('draft', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed')),
      columns text[] not null,
      mapping jsonb not null,
      total int not null default 0,
      done int not null default 0,
      created int not null default 0,
      updated int not null default 0,
      unchanged int not null default 0,
      problems int not null default 0,
      failure_reason text,
      created_by uuid references users (id) on delete set null,
      created_by_email text not null,
      request_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      options jsonb,
      note text
    );

    create table import_rows (
      import_id uuid not null references imports (id) on delete cascade,
      position int not null,
      line int not null,
      target_id uuid not null,
      cells text[] not null,
      outcome text check (outcome in ('created', 'updated', 'unchanged', 'problem')),
      problem text,
      is_applied boolean not null default false,
      note text,
      primary key (import_id, position)
    )`.execute(db);
  await sql`
    create table video_origins (
      source text not null,
      source_id text not null,
      video_id uuid not null unique,
      is_complete boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (source, source_id)
    );
    create index video_origins_source_id_idx on video_origins (source_id text_pattern_ops);

    create table old_addresses (
      address text primary key,
      video_id uuid not null
    );
    create index old_addresses_video_idx on old_addresses (video_id)`.execute(db);
  await sql`
    create table watched_folder (
      id int primary key default 1 check (id = 1),
      looked_at timestamptz,
      problem text,
      place text
    );

    create table watched_files (
      key bytea primary key,
      id uuid not null,
      path text not null,
      signature bytea not null,
      resting_since timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
      is_moved boolean not null default false,
      attempts int not null default 0,
      retry_at timestamptz,
      note text,
      video_id uuid,
      updated_at timestamptz not null default now()
    );
    create index watched_files_state_idx on watched_files (state, updated_at)`.execute(db);
  await sql`insert into watched_folder default values`.execute(db);
}
