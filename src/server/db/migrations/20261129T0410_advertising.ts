import { sql, type Kysely } from "kysely";

/** Advertisers, campaigns and ads with their statistics, and referral links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table advertisers (
      id uuid primary key,
      name text not null,
      contact text,
      notes text,
      share_hash bytea unique,
      created_at timestamptz not null default now(),
      version int not null default 1
    );
    create unique index advertisers_name_idx on advertisers (lower(name));

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
      goal_amount bigint check (goal_amount > 0),
      price_model text not null default 'none'
        check (price_model in ('none', 'cpm', 'cpc', 'flat')),
      price_micros bigint check (price_micros > 0),
      currency text not null default 'EUR',
      budget_micros bigint check (budget_micros > 0),
      has_even_pacing boolean not null default true,
      hourly_cap bigint check (hourly_cap > 0),
      daily_cap bigint check (daily_cap > 0),
      lifetime_cap bigint check (lifetime_cap > 0),
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
      version int not null default 1,
      visitor_daily_cap int check (visitor_daily_cap is null or visitor_daily_cap > 0),
      constraint campaign_dates_in_order
        check (starts_at is null or ends_at is null or starts_at < ends_at)
    ) with (fillfactor = 60);
    create index campaigns_advertiser_idx on campaigns (advertiser_id);

    create table campaign_days (
      campaign_id uuid not null references campaigns (id) on delete cascade,
      day date not null,
      currency text not null,
      micros double precision not null,
      primary key (campaign_id, day, currency)
    ) with (fillfactor = 60);

    create table campaign_hours (
      campaign_id uuid not null references campaigns (id) on delete cascade,
      hour timestamptz not null,
      impressions bigint not null,
      primary key (campaign_id, hour)
    ) with (fillfactor = 60)`.execute(db);
  await sql`
    create table ads (
      id uuid primary key,
      title text not null check (length(title) between 1 and 200),
      description text,
      content text,
      type text not null check (type in ('banner', 'video', 'popup')),
      placement text not null
        check (placement in ('header', 'sidebar', 'footer', 'preroll', 'midroll', 'postroll',
          'feed')),
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
      verified_impressions bigint not null default 0 check (verified_impressions >= 0),
      verified_clicks bigint not null default 0 check (verified_clicks >= 0),
      origins text[] not null default '{}',
      ignores_break_rules boolean not null default false,
      is_approved boolean not null default true,
      campaign_id uuid references campaigns (id),
      is_bumper boolean not null default false,
      version int not null default 1,
      constraint dates_in_order
        check (starts_at is null or ends_at is null or starts_at <= ends_at),
      constraint vast_only_for_video check (vast_tag_url is null or type = 'video')
    ) with (fillfactor = 60);
    create index ads_campaign_idx on ads (campaign_id);
    create index ads_delivery_idx
      on ads (coalesce(ends_at, 'infinity'::timestamptz)) where is_active;
    create index ads_listed_idx on ads (created_at desc, id desc);

    create table ad_stats_daily (
      ad_id uuid not null references ads (id) on delete cascade,
      day date not null,
      placement text not null
        check (placement in ('header', 'sidebar', 'footer', 'preroll', 'midroll', 'postroll',
          'feed')),
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
      verified_impressions bigint not null default 0 check (verified_impressions >= 0),
      verified_clicks bigint not null default 0 check (verified_clicks >= 0),
      embed_impressions bigint not null default 0 check (embed_impressions >= 0),
      embed_suspect_impressions bigint not null default 0 check (embed_suspect_impressions >= 0),
      embed_verified_impressions bigint not null default 0 check (embed_verified_impressions >= 0),
      embed_viewable bigint not null default 0 check (embed_viewable >= 0),
      embed_clicks bigint not null default 0 check (embed_clicks >= 0),
      embed_suspect_clicks bigint not null default 0 check (embed_suspect_clicks >= 0),
      embed_verified_clicks bigint not null default 0 check (embed_verified_clicks >= 0),
      embed_starts bigint not null default 0 check (embed_starts >= 0),
      embed_first_quartiles bigint not null default 0 check (embed_first_quartiles >= 0),
      embed_midpoints bigint not null default 0 check (embed_midpoints >= 0),
      embed_third_quartiles bigint not null default 0 check (embed_third_quartiles >= 0),
      embed_completes bigint not null default 0 check (embed_completes >= 0),
      embed_skips bigint not null default 0 check (embed_skips >= 0),
      embed_errors bigint not null default 0 check (embed_errors >= 0),
      primary key (ad_id, day, placement)
    ) with (fillfactor = 60);

    create table ad_requests_daily (
      day date not null,
      placement text not null,
      requests bigint not null,
      filled bigint not null,
      robot_requests bigint not null,
      embed_requests bigint not null default 0 check (embed_requests >= 0),
      embed_filled bigint not null default 0 check (embed_filled >= 0),
      embed_robot_requests bigint not null default 0 check (embed_robot_requests >= 0),
      primary key (day, placement)
    );

    create table ad_errors_daily (
      ad_id uuid not null references ads (id) on delete cascade,
      day date not null,
      cause text not null,
      errors bigint not null,
      primary key (ad_id, day, cause)
    )`.execute(db);
  // Served ads that still wait for their events. Limits and caps count them, and forged events don't
  // match any.
  await sql`
    create table ad_reservations (
      serve bigint not null,
      ad_id uuid not null references ads (id) on delete cascade,
      visitor_id uuid not null,
      is_single boolean not null,
      expires_at timestamptz not null,
      campaign_id uuid,
      until_viewable boolean not null default false,
      address_group text not null default '',
      primary key (serve, ad_id)
    );
    create index ad_reservations_ad_idx on ad_reservations (ad_id, expires_at);
    create index ad_reservations_campaign_idx on ad_reservations (campaign_id, expires_at)
      where campaign_id is not null;
    create index ad_reservations_expires_idx on ad_reservations (expires_at);
    create index ad_reservations_group_idx on ad_reservations (address_group, expires_at);

    create table ad_serve_events (
      serve bigint not null,
      ad_id uuid not null references ads (id) on delete cascade,
      event text not null,
      at timestamptz not null,
      primary key (serve, ad_id, event)
    );
    create index ad_serve_events_ad_idx on ad_serve_events (ad_id);
    create index ad_serve_events_at_idx on ad_serve_events using brin (at);

    create unlogged table ad_unverified_calls (
      ad_id uuid not null,
      event text not null,
      caller text not null,
      since timestamptz not null,
      counted int not null,
      primary key (ad_id, event, caller)
    );

    create table ad_visitor_days (
      visitor_id uuid not null,
      day date not null,
      ad_id uuid not null references ads (id) on delete cascade,
      impressions int not null check (impressions > 0),
      primary key (visitor_id, day, ad_id)
    );
    create index ad_visitor_days_ad_idx on ad_visitor_days (ad_id);
    create index ad_visitor_days_day_idx on ad_visitor_days (day)`.execute(db);
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
    );

    create table referral_visitors (
      referral_id uuid not null references referrals (id) on delete cascade,
      visitor_id uuid not null,
      first_day date not null,
      last_day date not null,
      last_at timestamptz not null,
      primary key (referral_id, visitor_id)
    );
    create index referral_visitors_visitor_idx on referral_visitors (visitor_id, last_at desc);

    create table referral_stats_daily (
      referral_id uuid not null references referrals (id) on delete cascade,
      day date not null,
      visits bigint not null default 0 check (visits >= 0),
      unique_visitors bigint not null default 0 check (unique_visitors >= 0),
      plays bigint not null default 0 check (plays >= 0),
      primary key (referral_id, day)
    )`.execute(db);
}
