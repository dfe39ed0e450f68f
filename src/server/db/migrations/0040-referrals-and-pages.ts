import { sql, type Kysely } from "kysely";

/** Referral links with their daily counts, the site's own pages, and defaults for mid-rolls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referrals (
      id uuid primary key,
      code text not null unique check (code ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
      name text not null check (length(name) between 1 and 100),
      target text not null default '/' check (target ~ '^/' and target !~ '^//'),
      note text,
      is_active boolean not null default true,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  // Who came by which link: for unique visitors, and to know whose plays are whose.
  await sql`
    create table referral_visitors (
      referral_id uuid not null references referrals (id) on delete cascade,
      visitor_id uuid not null,
      first_day date not null,
      last_day date not null,
      last_at timestamptz not null,
      primary key (referral_id, visitor_id)
    )`.execute(db);
  await sql`create index referral_visitors_visitor_idx on referral_visitors (visitor_id, last_at desc)`.execute(
    db,
  );
  await sql`
    create table referral_stats_daily (
      referral_id uuid not null references referrals (id) on delete cascade,
      day date not null,
      visits bigint not null default 0 check (visits >= 0),
      unique_visitors bigint not null default 0 check (unique_visitors >= 0),
      plays bigint not null default 0 check (plays >= 0),
      primary key (referral_id, day)
    )`.execute(db);

  await sql`alter table settings
    add column midroll_times double precision[],
    add column terms_markdown text,
    add column privacy_markdown text,
    add column contact_markdown text`.execute(db);
  await sql`create index audit_log_entity_idx on audit_log (entity, at desc, id desc)`.execute(db);
  await sql`create index audit_log_user_idx on audit_log (user_email, at desc, id desc)`.execute(
    db,
  );
}
