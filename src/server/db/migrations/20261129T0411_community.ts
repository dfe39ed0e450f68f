import { sql, type Kysely } from "kysely";

/** Comments, reports and takedown requests of visitors, and the passes of members. */
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
    );
    create index comments_address_idx on comments (address_key, created_at)
      where address_key is not null;
    create index comments_shown_idx on comments (video_id, id desc) where state = 'shown';
    create index comments_video_idx on comments (video_id);
    create index comments_visitor_idx on comments (visitor_id)`.execute(db);
  await sql`
    create table reports (
      id uuid primary key,
      kind text not null check (kind in ('report', 'takedown', 'comment')),
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
      comment_id uuid,
      language text,
      check ((state = 'resolved') = (outcome is not null))
    );
    create index reports_address_idx on reports (address_key, created_at)
      where address_key is not null;
    create index reports_comment_idx on reports (comment_id) where comment_id is not null;
    create index reports_log_idx on reports (resolved_at)
      where kind = 'takedown' and outcome <> 'dismissed';
    create index reports_state_idx on reports (state, created_at);
    create index reports_video_idx on reports (video_id);

    create table report_notes (
      id uuid primary key,
      report_id uuid not null references reports (id) on delete cascade,
      user_email text not null,
      text text not null,
      created_at timestamptz not null default now()
    );
    create index report_notes_report_idx on report_notes (report_id);

    create table report_senders (
      email text primary key,
      token_hash bytea not null unique check (length(token_hash) = 32),
      asked_at timestamptz not null,
      confirmed_at timestamptz,
      mailbox text,
      requester text
    );
    create index report_senders_asked_idx on report_senders (asked_at) where confirmed_at is null;
    create index report_senders_mailbox_idx on report_senders (coalesce(mailbox, email))`.execute(
    db,
  );
  await sql`
    create table passes (
      id uuid primary key,
      code_hash bytea not null unique,
      sealed_code bytea not null,
      note text,
      email text,
      reference text unique,
      terms jsonb not null,
      valid_until timestamptz not null,
      max_devices int not null check (max_devices between 1 and 10),
      revoked_at timestamptz,
      ended_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index passes_created_idx on passes (created_at desc, id desc);
    create index passes_ending_idx on passes (valid_until) where ended_at is null;

    create table pass_devices (
      id uuid primary key,
      pass_id uuid not null references passes (id) on delete cascade,
      token_hash bytea not null unique,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now()
    );
    create index pass_devices_pass_idx on pass_devices (pass_id, last_used_at)`.execute(db);
}
