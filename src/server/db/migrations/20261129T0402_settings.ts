import { sql, type Kysely } from "kysely";

/**
 * The owner's settings in one row, own texts and pages, and a version that every change raises, by
 * which processes notice each other's changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      id int primary key default 1 check (id = 1),
      site_name text,
      site_description text,
      site_url text,
      logo_url text,
      favicon_url text,
      filter_categories text[] not null default '{African,Ebony,Teen}',
      browse_listings boolean not null default true,
      midroll_times double precision[],
      terms_markdown text,
      privacy_markdown text,
      contact_markdown text,
      updated_at timestamptz not null default now(),
      security_contact text,
      require_second_factor boolean not null default false,
      takedown_log boolean not null default false,
      age_gate boolean not null default false,
      blocked_countries text[] not null default '{}',
      trash_days int not null default 30 check (trash_days between 0 and 365),
      comments text not null default 'off' check (comments in ('off', 'held', 'open')),
      comment_words text[] not null default '{}',
      comment_links int not null default 1 check (comment_links between 0 and 20),
      accent_color text,
      ad_origins text[] not null default '{}',
      preroll_min_video_s int not null default 0 check (preroll_min_video_s between 0 and 86400),
      break_gap_s int not null default 0 check (break_gap_s between 0 and 86400),
      ads_txt text,
      app_ads_txt text,
      sellers_json text,
      language text not null default 'en',
      even_loudness boolean not null default true,
      keep_originals boolean not null default true,
      pod_max_s int not null default 30 check (pod_max_s between 0 and 600),
      midroll_every_min int not null default 0 check (midroll_every_min between 0 and 1440),
      efficient_renditions text not null default 'off',
      version int not null default 1,
      source_url text,
      confirmed_url text,
      time_zone text not null default 'UTC',
      crawl_search boolean not null default true,
      crawl_ai boolean not null default true,
      crawl_others boolean not null default true,
      media_on_other_sites boolean not null default true,
      media_without_origin boolean not null default true,
      embedding text not null default 'any' check (embedding in ('any', 'listed', 'nobody')),
      embed_origins text[] not null default '{}',
      media_bytes_per_hour bigint,
      replay_peak boolean not null default false,
      pinned_labels jsonb not null default '[]',
      ground_color text,
      corner_radius text not null default 'medium',
      font text not null default 'inter',
      podcast boolean not null default false,
      podcast_category text not null default 'TV & Film',
      premium_access text not null default 'badge' check (premium_access in ('badge', 'members')),
      members_text text,
      members_url text,
      members_in_feed boolean not null default false,
      ads_in_embeds boolean not null default false,
      watch_folder boolean not null default false,
      watch_publishes boolean not null default false,
      watch_rest_s int not null default 30,
      constraint settings_efficient_renditions check (efficient_renditions in ('off', 'idle'))
    );

    create table own_texts (
      language text not null,
      id text not null,
      text text not null,
      primary key (language, id)
    );

    create table own_pages (
      id uuid primary key,
      address text not null unique,
      place text not null,
      is_published boolean not null,
      is_indexed boolean not null,
      position int not null,
      texts jsonb not null,
      version int not null default 1,
      updated_at timestamptz not null default now()
    );

    create table change_version (
      is_only boolean primary key default true check (is_only),
      version bigint not null
    )`.execute(db);
  // A new site disallows AI crawlers.
  await sql`insert into settings (id, crawl_ai) values (1, false)`.execute(db);
  await sql`insert into change_version (version) values (0)`.execute(db);
}
