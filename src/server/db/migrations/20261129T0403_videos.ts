import { sql, type Kysely } from "kysely";

/**
 * Videos, their replacements, and removed ones. Constraints rule out bad states: duplicate slugs,
 * negative counts, a publication without a date. `is_listed` and `is_reachable` are the only
 * definitions of what visitors see.
 *
 * A clip is a video made from a passage of a longer one. What the longer video restricts also holds
 * for it: triggers copy it to the `held_` columns, and the generated columns combine both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Wilson's lower bound at 95%, z = 1.96. Exactly 0 without likes, where rounding would leave
  // numbers around 1e-17 that put equal videos in a random order.
  await sql`
    create function wilson_lower_bound(likes bigint, viewers bigint) returns double precision
    language sql immutable parallel safe as $$
      select case when likes <= 0 or viewers <= 0 then 0::float8 else
        (likes::float8 / viewers + 3.8416::float8 / (2::float8 * viewers)
          - 1.96::float8 * sqrt(
              (likes::float8 / viewers * (1::float8 - likes::float8 / viewers)
                + 3.8416::float8 / (4::float8 * viewers)) / viewers))
        / (1::float8 + 3.8416::float8 / viewers)
      end
    $$`.execute(db);
  await sql`
    create table videos (
      id uuid primary key,
      slug text not null unique check (slug !~ '[!-,./:-@A-Z\\[-\`{-~[:space:]]|^-|--|-$|^$'),
      title text not null check (length(title) between 1 and 200),
      description text,
      status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
      failure_reason text,
      failures int not null default 0 check (failures >= 0),
      progress real check (progress between 0 and 1),
      is_published boolean not null default false,
      is_premium boolean not null default false,
      published_at timestamptz,
      publish_at timestamptz,
      publish_planned_by uuid references users (id) on delete set null,
      file_format text not null default 'mp4',
      duration_s double precision not null default 0 check (duration_s >= 0),
      width int check (width > 0),
      height int check (height > 0),
      midroll_times double precision[],
      media_token text not null unique,
      source_key text,
      source_bytes bigint check (source_bytes >= 0),
      poster_key text,
      thumbnail_key text,
      progressive_key text,
      progressive_small_key text,
      hls_key text,
      preview_key text,
      storyboard_key text,
      stored_bytes bigint not null default 0 check (stored_bytes >= 0),
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0 check (likes >= 0),
      engaged bigint not null default 0 check (engaged >= 0),
      completed bigint not null default 0 check (completed >= 0),
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      trend double precision not null default '-infinity',
      uploaded_by uuid references users (id) on delete set null,
      version int not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      media_notices text[] not null default '{}',
      reward_sum double precision not null default 0,
      reward_count double precision not null default 0,
      is_sensitive boolean not null default false,
      blocked_countries text[] not null default '{}',
      captions jsonb not null default '[]',
      chapters jsonb not null default '[]',
      visibility text not null default 'public'
        check (visibility in ('public', 'unlisted', 'private')),
      link_secret text unique check (length(link_secret) >= 20),
      link_expires_at timestamptz,
      loudness jsonb,
      file_gain_db real not null default 0,
      ladder_gain_db real not null default 0,
      sounds jsonb not null default '[]',
      translations jsonb not null default '{}',
      source_sha256 bytea,
      ladder_crf real,
      dropped_bytes bigint,
      fingerprint bytea check (length(fingerprint) = 80),
      weighed_hour timestamptz,
      hour_weight double precision not null default 0,
      unranked_likes bigint not null default 0,
      rating double precision not null
        generated always as (wilson_lower_bound(likes - unranked_likes,
          greatest(engaged, likes - unranked_likes))) stored,
      skipped_files text[] not null default '{}',
      needs_review boolean not null default true,
      embedding text not null default 'site' check (embedding in ('site', 'any', 'nobody')),
      audio_key text,
      imported_views bigint not null default 0,
      clip_of uuid,
      clip_start_s double precision,
      clip_end_s double precision,
      clip_plan jsonb,
      held_visibility text not null default 'public'
        check (held_visibility in ('public', 'unlisted', 'private', 'hidden')),
      held_sensitive boolean not null default false,
      held_countries text[] not null default '{}',
      is_listed boolean not null
        generated always as (is_published and status = 'ready' and visibility = 'public'
          and held_visibility = 'public') stored,
      is_reachable boolean not null
        generated always as (is_published and status = 'ready' and visibility <> 'private'
          and held_visibility in ('public', 'unlisted')) stored,
      is_linkable boolean not null
        generated always as (is_published and status = 'ready' and visibility = 'private'
          and held_visibility <> 'hidden') stored,
      shown_visibility text not null generated always as (case
        when visibility = 'private' or held_visibility in ('private', 'hidden') then 'private'
        when visibility = 'unlisted' or held_visibility = 'unlisted' then 'unlisted'
        else 'public' end) stored,
      is_age_limited boolean not null generated always as (is_sensitive or held_sensitive) stored,
      closed_countries text[] not null
        generated always as (blocked_countries || held_countries) stored,
      kept_parts jsonb,
      cut_at timestamptz,
      before_cut jsonb,
      constraint failed_has_reason check (status <> 'failed' or failure_reason is not null),
      constraint published_has_date check (not is_published or published_at is not null),
      constraint published_is_not_planned check (publish_at is null or not is_published)
    );
    create index videos_audio_idx on videos (id) where audio_key is not null;
    create index videos_blocked_countries_idx on videos (id)
      where blocked_countries <> '{}';
    create index videos_clips_idx on videos (clip_of) where clip_of is not null;
    create index videos_created_idx on videos (created_at desc, id desc)
      include (title, is_published, is_premium, visibility, views, likes, duration_s, stored_bytes,
        source_bytes, uploaded_by);
    create index videos_dropped_bytes_idx on videos (dropped_bytes) where dropped_bytes is not null;
    create index videos_embedding_idx on videos (id) where embedding <> 'site';
    create index videos_in_work_idx on videos (created_at, id)
      where status = 'processing' or (status = 'ready' and progress < 1);
    create index videos_most_viewed_idx on videos (views desc, id desc) where is_listed;
    create index videos_needs_review_idx on videos (id) where needs_review;
    create index videos_newest_idx on videos (published_at desc, id desc) where is_listed;
    create index videos_publish_at_idx on videos (publish_at) where publish_at is not null;
    create index videos_source_bytes_idx on videos (source_bytes);
    create index videos_top_rated_idx on videos (rating desc, id desc) where is_listed;
    create index videos_trending_idx on videos (trend desc, id desc) where is_listed;
    create index videos_unfinished_idx on videos (status, id) where status <> 'ready'`.execute(db);
  await sql`
    create table video_replacements (
      id uuid primary key,
      video_id uuid not null references videos (id) on delete cascade,
      status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
      failure_reason text,
      failures int not null default 0 check (failures >= 0),
      progress real check (progress between 0 and 1),
      duration_s double precision not null default 0 check (duration_s >= 0),
      width int check (width > 0),
      height int check (height > 0),
      media_notices text[] not null default '{}',
      chapters jsonb not null default '[]',
      loudness jsonb,
      file_gain_db real not null default 0,
      ladder_gain_db real not null default 0,
      sounds jsonb not null default '[]',
      source_key text,
      source_bytes bigint check (source_bytes >= 0),
      poster_key text,
      thumbnail_key text,
      progressive_key text,
      progressive_small_key text,
      hls_key text,
      preview_key text,
      storyboard_key text,
      stored_bytes bigint not null default 0 check (stored_bytes >= 0),
      uploaded_by uuid references users (id) on delete set null,
      uploaded_by_email text not null,
      created_at timestamptz not null default now(),
      switched_at timestamptz,
      is_renewal boolean not null default false,
      source_sha256 bytea,
      ladder_crf real,
      dropped_bytes bigint,
      fingerprint bytea check (length(fingerprint) = 80),
      skipped_files text[] not null default '{}',
      needs_review boolean not null default true,
      audio_key text,
      kept_parts jsonb,
      changes_cut boolean not null default false
    );
    create unique index video_replacements_open_idx on video_replacements (video_id)
      where switched_at is null;
    create index video_replacements_video_idx on video_replacements (video_id);

    create table removed_videos (
      id uuid primary key,
      title text not null,
      media_token text not null unique,
      source_key text unique,
      size_bytes bigint not null,
      kept_rows jsonb not null,
      removed_by text not null,
      removed_at timestamptz not null default now(),
      clips text check (clips in ('keep', 'remove'))
    );
    create index removed_videos_at_idx on removed_videos (removed_at desc, id);

    create table retired_files (
      key text primary key,
      goes_at timestamptz not null
    );

    create table blocked_files (
      sha256 bytea primary key check (length(sha256) = 32),
      size_bytes bigint not null,
      video_title text not null,
      blocked_by text not null,
      created_at timestamptz not null default now(),
      fingerprint bytea check (length(fingerprint) = 80)
    );
    create index blocked_files_size_idx on blocked_files (size_bytes)`.execute(db);
  // Old addresses of videos and labels.
  await sql`
    create table slug_redirects (
      kind text not null check (kind in ('videos', 'categories', 'tags', 'actors')),
      slug text not null,
      target_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (kind, slug)
    )`.execute(db);
  await stampVideos(db);
  await holdClips(db);
}

/**
 * `updated_at` changes with everything that visitors see of a video except its counts, whichever
 * program changes it. Processes that keep videos in memory compare it. Changes of its labels raise
 * `version`.
 */
async function stampVideos(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function stamp_video() returns trigger language plpgsql as $$
    begin
      new.updated_at := clock_timestamp();
      return new;
    end $$`.execute(db);
  // Generated columns fire no "update of", so this lists the columns that they depend on.
  await sql`
    create trigger stamp_video before update of slug, title, description, status, is_published,
      is_premium, is_sensitive, blocked_countries, published_at, file_format, duration_s, width,
      height, midroll_times, media_token, source_key, poster_key, thumbnail_key, progressive_key,
      progressive_small_key, hls_key, preview_key, storyboard_key, version, captions, chapters,
      visibility, loudness, file_gain_db, ladder_gain_db, sounds, translations, clip_of,
      held_visibility, held_sensitive, held_countries
    on videos for each row execute function stamp_video()`.execute(db);
}

async function holdClips(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function what_holds(v videos) returns text language sql immutable as $$
      select case when v.is_published then v.visibility else 'hidden' end
    $$`.execute(db);
  await sql`
    create function hold_clips() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update videos set held_visibility = 'hidden'
        where clip_of = old.id and held_visibility <> 'hidden';
        return null;
      end if;
      update videos set held_visibility = what_holds(new), held_sensitive = new.is_sensitive,
        held_countries = new.blocked_countries
      where clip_of = new.id and (held_visibility, held_sensitive, held_countries)
        is distinct from (what_holds(new), new.is_sensitive, new.blocked_countries);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger hold_clips after update of is_published, visibility, is_sensitive, blocked_countries
    on videos for each row when (new.clip_of is null and
      (old.is_published, old.visibility, old.is_sensitive, old.blocked_countries) is distinct from
      (new.is_published, new.visibility, new.is_sensitive, new.blocked_countries))
    execute function hold_clips()`.execute(db);
  // A video that leaves the trash.
  await sql`
    create trigger hold_clips_again after insert on videos for each row when (new.clip_of is null)
    execute function hold_clips()`.execute(db);
  await sql`
    create trigger hide_clips after delete on videos for each row when (old.clip_of is null)
    execute function hold_clips()`.execute(db);
  await sql`
    create function hold_new_clip() returns trigger language plpgsql as $$
    declare long videos;
    begin
      -- Waits for changes of the long video, which would otherwise miss the new clip.
      perform from removed_videos where id = new.clip_of for share;
      select * into long from videos where id = new.clip_of for share;
      if found then
        new.held_visibility := what_holds(long);
        new.held_sensitive := long.is_sensitive;
        new.held_countries := long.blocked_countries;
      elsif exists (select from removed_videos where id = new.clip_of) then
        new.held_visibility := 'hidden';
      else
        -- Its long video was deleted for good while the clip was in the trash.
        new.clip_of := null;
        new.is_published := false;
        new.held_visibility := 'public';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger hold_new_clip before insert on videos for each row when (new.clip_of is not null)
    execute function hold_new_clip()`.execute(db);
}
