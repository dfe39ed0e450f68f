import { sql, type Kysely } from "kysely";

/**
 * The first schema. Constraints make bad states impossible: a like twice, a slug twice, a negative
 * count, a published date without publication. Ids are UUIDv7 made by the application, so that any
 * PostgreSQL from 14 on will do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);

  await sql`
    create table users (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      name text not null default '',
      role text not null check (role in ('ADMIN', 'USER')),
      password_hash text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index users_email_key on users (lower(email))`.execute(db);

  await sql`
    create table sessions (
      token_hash bytea primary key check (length(token_hash) = 32),
      user_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sessions_user_idx on sessions (user_id)`.execute(db);
  await sql`create index sessions_expiry_idx on sessions (expires_at)`.execute(db);

  // One row at most: the one-time link that makes the first admin.
  await sql`
    create table setup_token (
      id int primary key default 1 check (id = 1),
      token_hash bytea not null check (length(token_hash) = 32),
      expires_at timestamptz not null
    )`.execute(db);

  // Keys are HMACs of an account or an address; no raw address is stored.
  await sql`
    create table sign_in_failures (
      key bytea primary key,
      failures int not null check (failures >= 0),
      blocked_until timestamptz not null,
      updated_at timestamptz not null default now()
    )`.execute(db);

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
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into settings (id) values (1)`.execute(db);

  // Server secrets made at first start and shared by every process on this database.
  await sql`
    create table secrets (
      name text primary key,
      value bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table videos (
      id uuid primary key,
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      title text not null check (length(title) between 1 and 200),
      description text,
      status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
      failure_reason text,
      failures int not null default 0 check (failures >= 0),
      progress real check (progress between 0 and 1),
      is_published boolean not null default false,
      is_premium boolean not null default false,
      published_at timestamptz,
      file_format text not null default 'mp4',
      duration_s double precision not null default 0 check (duration_s >= 0),
      width int check (width > 0),
      height int check (height > 0),
      midroll_times double precision[],
      -- Storage: an unguessable folder, and the keys inside it that exist so far.
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
      -- Totals, kept beside the hourly statistics so that lists need no sum.
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0 check (likes >= 0),
      engaged bigint not null default 0 check (engaged >= 0),
      completed bigint not null default 0 check (completed >= 0),
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      -- log2 of the forward-decayed engagement; see features/videos/engagement.ts.
      trend double precision not null default '-Infinity',
      -- Wilson lower bound (z = 1.96) of likes over unique engaged viewers.
      rating double precision not null generated always as (
        case when greatest(engaged, likes) = 0 then 0 else
          ((likes::float8 / greatest(engaged, likes)) + 3.8416 / (2 * greatest(engaged, likes))
            - 1.96 * sqrt(
                ((likes::float8 / greatest(engaged, likes))
                  * (1 - likes::float8 / greatest(engaged, likes))
                  + 3.8416 / (4 * greatest(engaged, likes))) / greatest(engaged, likes)))
          / (1 + 3.8416 / greatest(engaged, likes))
        end) stored,
      uploaded_by uuid references users (id) on delete set null,
      version int not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint failed_has_reason check ((status = 'failed') = (failure_reason is not null)),
      constraint published_has_date check (not is_published or published_at is not null)
    )`.execute(db);

  // What visitors see: published and ready. Each sort walks one partial index, ties end on id.
  const listed = sql`where is_published and status = 'ready'`;
  await sql`create index videos_newest_idx on videos (published_at desc, id desc) ${listed}`.execute(
    db,
  );
  await sql`create index videos_most_viewed_idx on videos (views desc, id desc) ${listed}`.execute(
    db,
  );
  await sql`create index videos_top_rated_idx on videos (rating desc, id desc) ${listed}`.execute(
    db,
  );
  await sql`create index videos_trending_idx on videos (trend desc, id desc) ${listed}`.execute(db);
  await sql`create index videos_created_idx on videos (created_at desc, id desc)`.execute(db);
  await sql`create index videos_title_trgm_idx on videos using gin (lower(title) gin_trgm_ops)`.execute(
    db,
  );
  await sql`create index videos_unfinished_idx on videos (status, id) where status <> 'ready'`.execute(
    db,
  );

  for (const [table, join, column] of [
    ["categories", "video_categories", "category_id"],
    ["tags", "video_tags", "tag_id"],
    ["actors", "video_actors", "actor_id"],
  ] as const) {
    await sql`
      create table ${sql.table(table)} (
        id uuid primary key,
        name text not null check (length(name) between 1 and 80),
        slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
        description text,
        image_key text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`.execute(db);
    await sql`create unique index ${sql.id(`${table}_name_key`)} on ${sql.table(table)} (lower(name))`.execute(
      db,
    );
    await sql`
      create table ${sql.table(join)} (
        video_id uuid not null references videos (id) on delete cascade,
        ${sql.id(column)} uuid not null references ${sql.table(table)} (id) on delete cascade,
        position int not null default 0,
        primary key (video_id, ${sql.id(column)})
      )`.execute(db);
    await sql`create index ${sql.id(`${join}_reverse_idx`)} on ${sql.table(join)} (${sql.id(column)}, video_id)`.execute(
      db,
    );
  }

  await sql`
    create table slug_redirects (
      kind text not null check (kind in ('videos', 'categories', 'tags', 'actors')),
      slug text not null,
      target_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (kind, slug)
    )`.execute(db);

  await sql`
    create table visitors (
      id uuid primary key,
      first_seen_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table likes (
      video_id uuid not null references videos (id) on delete cascade,
      visitor_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (video_id, visitor_id)
    )`.execute(db);
  await sql`create index likes_visitor_idx on likes (visitor_id, created_at desc)`.execute(db);

  await sql`
    create table favorites (
      video_id uuid not null references videos (id) on delete cascade,
      visitor_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (video_id, visitor_id)
    )`.execute(db);
  await sql`create index favorites_visitor_idx on favorites (visitor_id, created_at desc)`.execute(
    db,
  );

  // One row per visitor and video: view de-duplication, unique engaged viewers, what was seen.
  await sql`
    create table watches (
      visitor_id uuid not null,
      video_id uuid not null references videos (id) on delete cascade,
      counted_at timestamptz not null,
      engaged boolean not null default false,
      completed boolean not null default false,
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      updated_at timestamptz not null default now(),
      primary key (visitor_id, video_id)
    )`.execute(db);
  await sql`create index watches_recent_idx on watches (visitor_id, updated_at desc)`.execute(db);
  await sql`create index watches_video_idx on watches (video_id)`.execute(db);

  await sql`
    create table video_stats_hourly (
      video_id uuid not null references videos (id) on delete cascade,
      hour timestamptz not null,
      views bigint not null default 0 check (views >= 0),
      engaged bigint not null default 0 check (engaged >= 0),
      completed bigint not null default 0 check (completed >= 0),
      likes bigint not null default 0,
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      impressions bigint not null default 0 check (impressions >= 0),
      primary key (video_id, hour)
    )`.execute(db);
  await sql`create index video_stats_hour_idx on video_stats_hourly (hour)`.execute(db);

  await sql`
    create table site_stats_hourly (
      hour timestamptz primary key,
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0,
      completed bigint not null default 0 check (completed >= 0),
      watch_time_s double precision not null default 0 check (watch_time_s >= 0)
    )`.execute(db);

  await sql`
    create table ads (
      id uuid primary key,
      title text not null check (length(title) between 1 and 200),
      description text,
      content text,
      type text not null check (type in ('banner', 'video', 'popup')),
      placement text not null check (placement in
        ('header', 'sidebar', 'footer', 'preroll', 'midroll', 'postroll', 'feed')),
      image_url text,
      link_url text,
      vast_tag_url text,
      starts_at timestamptz,
      ends_at timestamptz,
      is_active boolean not null default true,
      impressions bigint not null default 0 check (impressions >= 0),
      clicks bigint not null default 0 check (clicks >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint vast_only_for_video check (vast_tag_url is null or type = 'video'),
      constraint dates_in_order check (starts_at is null or ends_at is null or starts_at <= ends_at)
    )`.execute(db);
  await sql`create index ads_delivery_idx on ads (placement, type, id) where is_active`.execute(db);

  await sql`
    create table audit_log (
      id uuid primary key,
      at timestamptz not null default now(),
      user_id uuid,
      user_email text not null,
      action text not null,
      entity text not null,
      entity_id text,
      before jsonb,
      after jsonb,
      request_id text
    )`.execute(db);
  await sql`create index audit_log_at_idx on audit_log (at desc, id desc)`.execute(db);
}
