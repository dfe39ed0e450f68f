import { sql, type Kysely } from "kysely";

const positive = (name: string) => sql`${sql.ref(name)} bigint check (${sql.ref(name)} > 0)`;

/** Advertisers, their campaigns, what campaigns have reached, and how many lists were asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table advertisers (
      id uuid primary key,
      name text not null,
      contact text,
      notes text,
      -- SHA-256 of the key in the secret address that shows its figures.
      share_hash bytea unique,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index advertisers_name_idx on advertisers (lower(name))`.execute(db);

  // Money is in millionths. The counts are those of verified events.
  await sql`
    create table campaigns (
      id uuid primary key,
      advertiser_id uuid not null references advertisers (id),
      name text not null,
      is_active boolean not null default true,
      starts_at timestamptz,
      ends_at timestamptz,
      priority text not null default 'standard'
        check (priority in ('sponsorship', 'standard', 'house')),
      goal text not null default 'none'
        check (goal in ('none', 'impressions', 'viewable', 'clicks', 'share')),
      ${positive("goal_amount")},
      price_model text not null default 'none'
        check (price_model in ('none', 'cpm', 'cpc', 'flat')),
      ${positive("price_micros")},
      currency text not null default 'EUR',
      ${positive("budget_micros")},
      has_even_pacing boolean not null default true,
      ${positive("hourly_cap")},
      ${positive("daily_cap")},
      ${positive("lifetime_cap")},
      rotation text not null default 'even' check (rotation in ('even', 'weight', 'clicks')),
      separation text,
      target_categories text[] not null default '{}',
      target_tags text[] not null default '{}',
      target_devices text[] not null default '{}',
      target_languages text[] not null default '{}',
      target_countries text[] not null default '{}',
      target_hours text[] not null default '{}',
      target_referrals text[] not null default '{}',
      impressions bigint not null default 0,
      viewable bigint not null default 0,
      clicks bigint not null default 0,
      created_at timestamptz not null default now(),
      constraint campaign_dates_in_order
        check (starts_at is null or ends_at is null or starts_at < ends_at)
    ) with (fillfactor = 60)`.execute(db);
  await sql`create index campaigns_advertiser_idx on campaigns (advertiser_id)`.execute(db);
  await sql`alter table ads add column campaign_id uuid references campaigns (id)`.execute(db);
  await sql`create index ads_campaign_idx on ads (campaign_id)`.execute(db);

  // Verified impressions, for the caps per hour and day.
  await sql`
    create table campaign_hours (
      campaign_id uuid not null references campaigns (id) on delete cascade,
      hour timestamptz not null,
      impressions bigint not null,
      primary key (campaign_id, hour)
    ) with (fillfactor = 60)`.execute(db);

  await sql`
    create table ad_requests_daily (
      day date not null,
      -- Empty where the request names none.
      placement text not null,
      requests bigint not null,
      filled bigint not null,
      robot_requests bigint not null,
      primary key (day, placement)
    )`.execute(db);

  // Impressions that a process may send without asking again.
  await sql`
    create table campaign_leases (
      campaign_id uuid not null references campaigns (id) on delete cascade,
      impressions int not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index campaign_leases_idx on campaign_leases (campaign_id, expires_at)`.execute(
    db,
  );

  await sql`
    alter table ad_reservations
      add column campaign_id uuid,
      -- Where the goal counts viewable impressions, the reservation ends with one of them.
      add column until_viewable boolean not null default false`.execute(db);
  await sql`
    create index ad_reservations_campaign_idx on ad_reservations (campaign_id, expires_at)
      where campaign_id is not null`.execute(db);
}
