import { sql, type Kysely } from "kysely";

/**
 * Ads with their delivery rules, statistics per day and placement, and what de-duplicates and caps
 * impressions. The defaults of the rules change nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const placement = sql`text not null check (placement in
    ('header', 'sidebar', 'footer', 'preroll', 'midroll', 'postroll', 'feed'))`;
  // Counting updates these rows many times a second: free space on the page keeps updates in place.
  await sql`
    create table ads (
      id uuid primary key,
      title text not null check (length(title) between 1 and 200),
      description text,
      content text,
      type text not null check (type in ('banner', 'video', 'popup')),
      placement ${placement},
      image_url text,
      link_url text,
      vast_tag_url text,
      starts_at timestamptz,
      ends_at timestamptz,
      is_active boolean not null default true,
      impressions bigint not null default 0 check (impressions >= 0),
      clicks bigint not null default 0 check (clicks >= 0),
      trust text not null default 'isolated' check (trust in ('isolated', 'page')),
      width_px int check (width_px between 1 and 4000),
      height_px int check (height_px between 1 and 4000),
      weight int not null default 1 check (weight between 1 and 1000),
      visitor_daily_cap int check (visitor_daily_cap > 0),
      daily_limit int check (daily_limit > 0),
      total_limit int check (total_limit > 0),
      has_even_pacing boolean not null default true,
      is_house boolean not null default false,
      target_categories text[] not null default '{}',
      target_devices text[] not null default '{}',
      target_languages text[] not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint vast_only_for_video check (vast_tag_url is null or type = 'video'),
      constraint dates_in_order check (starts_at is null or ends_at is null or starts_at <= ends_at)
    ) with (fillfactor = 60)`.execute(db);
  // Ads that may be shown now or later: active, and not over.
  await sql`
    create index ads_delivery_idx on ads (coalesce(ends_at, 'infinity'::timestamptz))
      where is_active`.execute(db);
  await sql`create index ads_listed_idx on ads (created_at desc, id desc)`.execute(db);

  // Days are those of UTC. Suspected robots are counted in both columns.
  await sql`
    create table ad_stats_daily (
      ad_id uuid not null references ads (id) on delete cascade,
      day date not null,
      placement ${placement},
      impressions bigint not null default 0 check (impressions >= 0),
      suspect_impressions bigint not null default 0 check (suspect_impressions >= 0),
      viewable bigint not null default 0 check (viewable >= 0),
      clicks bigint not null default 0 check (clicks >= 0),
      suspect_clicks bigint not null default 0 check (suspect_clicks >= 0),
      starts bigint not null default 0 check (starts >= 0),
      first_quartiles bigint not null default 0 check (first_quartiles >= 0),
      midpoints bigint not null default 0 check (midpoints >= 0),
      third_quartiles bigint not null default 0 check (third_quartiles >= 0),
      completes bigint not null default 0 check (completes >= 0),
      skips bigint not null default 0 check (skips >= 0),
      errors bigint not null default 0 check (errors >= 0),
      primary key (ad_id, day, placement)
    ) with (fillfactor = 60)`.execute(db);

  // One row per serve, ad and event: the same display never counts twice. Rows outlive their token
  // only briefly.
  await sql`
    create table ad_serve_events (
      serve bigint not null,
      ad_id uuid not null references ads (id) on delete cascade,
      event text not null,
      at timestamptz not null,
      primary key (serve, ad_id, event)
    )`.execute(db);
  await sql`create index ad_serve_events_at_idx on ad_serve_events using brin (at)`.execute(db);
  await sql`create index ad_serve_events_ad_idx on ad_serve_events (ad_id)`.execute(db);

  // Only for ads with a cap.
  await sql`
    create table ad_visitor_days (
      visitor_id uuid not null,
      day date not null,
      ad_id uuid not null references ads (id) on delete cascade,
      impressions int not null check (impressions > 0),
      primary key (visitor_id, day, ad_id)
    )`.execute(db);
  await sql`create index ad_visitor_days_day_idx on ad_visitor_days (day)`.execute(db);
  await sql`create index ad_visitor_days_ad_idx on ad_visitor_days (ad_id)`.execute(db);
}
