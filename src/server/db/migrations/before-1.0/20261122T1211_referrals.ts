import { sql, type Kysely } from "kysely";

/** Referral links with their daily counts. */
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
  // Which visitor came by which link: counts unique visitors, and assigns plays to a link.
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
}
