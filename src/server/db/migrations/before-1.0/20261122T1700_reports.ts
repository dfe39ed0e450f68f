import { sql, type Kysely } from "kysely";

/** Reports and takedown notices of visitors, and files that may not be uploaded again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No foreign key to the video: a report outlives it.
  await sql`
    create table reports (
      id uuid primary key,
      kind text not null check (kind in ('report', 'takedown')),
      video_id uuid not null,
      video_title text not null,
      video_slug text not null,
      reason text not null,
      text text not null,
      email text,
      notice jsonb,
      state text not null default 'open' check (state in ('open', 'in_review', 'resolved')),
      outcome text check (outcome in ('dismissed', 'unpublished', 'removed', 'blocked')),
      assigned_to uuid references users (id) on delete set null,
      address_key text,
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      check ((state = 'resolved') = (outcome is not null))
    )`.execute(db);
  await sql`create index reports_state_idx on reports (state, created_at)`.execute(db);
  await sql`create index reports_video_idx on reports (video_id)`.execute(db);
  await sql`
    create index reports_address_idx on reports (address_key, created_at)
    where address_key is not null`.execute(db);
  await sql`
    create index reports_log_idx on reports (resolved_at)
    where kind = 'takedown' and outcome <> 'dismissed'`.execute(db);
  await sql`
    create table report_notes (
      id uuid primary key,
      report_id uuid not null references reports (id) on delete cascade,
      user_email text not null,
      text text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index report_notes_report_idx on report_notes (report_id)`.execute(db);
  await sql`
    create table blocked_files (
      sha256 bytea primary key check (length(sha256) = 32),
      size_bytes bigint not null,
      video_title text not null,
      blocked_by text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index blocked_files_size_idx on blocked_files (size_bytes)`.execute(db);
  await sql`alter table settings add column takedown_log boolean not null default false`.execute(
    db,
  );
}
