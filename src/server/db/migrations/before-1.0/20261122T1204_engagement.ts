import { sql, type Kysely } from "kysely";

/** Visitors, what they liked, saved and watched, and the statistics by the hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table visitors (
      id uuid primary key,
      first_seen_at timestamptz not null default now()
    )`.execute(db);

  for (const table of ["likes", "favorites"]) {
    await sql`
      create table ${sql.table(table)} (
        video_id uuid not null references videos (id) on delete cascade,
        visitor_id uuid not null,
        created_at timestamptz not null default now(),
        primary key (video_id, visitor_id)
      )`.execute(db);
    await sql`
      create index ${sql.id(`${table}_visitor_idx`)}
        on ${sql.table(table)} (visitor_id, created_at desc)`.execute(db);
  }

  // One row per visitor and video: de-duplicates views, counts unique engaged viewers, and tells
  // what a visitor has seen.
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
  // The latest engaged viewers of a video: what else they watched is related to it.
  await sql`
    create index watches_engaged_idx on watches (video_id, updated_at desc, visitor_id desc)
      where engaged`.execute(db);

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
}
