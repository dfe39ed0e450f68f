import { sql, type Kysely } from "kysely";

/**
 * Videos. Constraints make bad states impossible: a slug twice, a negative count, a publication
 * without a date. `is_listed` is the only definition of what visitors see.
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
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      title text not null check (length(title) between 1 and 200),
      description text,
      status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
      failure_reason text,
      failures int not null default 0 check (failures >= 0),
      progress real check (progress between 0 and 1),
      is_published boolean not null default false,
      is_listed boolean not null generated always as (is_published and status = 'ready') stored,
      is_premium boolean not null default false,
      published_at timestamptz,
      publish_at timestamptz,
      publish_planned_by uuid references users (id) on delete set null,
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
      -- log2 of the forward-decayed engagement; see features/engagement/engagement.ts.
      trend double precision not null default '-Infinity',
      -- Likes over unique engaged viewers.
      rating double precision not null
        generated always as (wilson_lower_bound(likes, greatest(engaged, likes))) stored,
      uploaded_by uuid references users (id) on delete set null,
      version int not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint failed_has_reason check ((status = 'failed') = (failure_reason is not null)),
      constraint published_has_date check (not is_published or published_at is not null),
      constraint published_is_not_planned check (publish_at is null or not is_published)
    )`.execute(db);

  // Each sort of a public list walks one partial index; ties end on the id.
  for (const [name, column] of [
    ["newest", "published_at"],
    ["most_viewed", "views"],
    ["top_rated", "rating"],
    ["trending", "trend"],
  ] as const) {
    await sql`
      create index ${sql.id(`videos_${name}_idx`)} on videos (${sql.id(column)} desc, id desc)
        where is_listed`.execute(db);
  }

  // The list of the back office filters, sorts and counts inside this index: at 100,000 videos it
  // reads 13 MB instead of the 66 MB of the table. Counting a view writes new entries into every
  // index anyway, so the included columns cost nothing more.
  await sql`
    create index videos_created_idx on videos (created_at desc, id desc)
      include (title, is_published, is_premium, views, likes, duration_s, stored_bytes, source_bytes)`.execute(
    db,
  );
  await sql`create index videos_unfinished_idx on videos (status, id) where status <> 'ready'`.execute(
    db,
  );
  // The processing queue: read once a second while an admin looks at it.
  await sql`
    create index videos_in_work_idx on videos (created_at, id)
      where status = 'processing' or (status = 'ready' and progress < 1)`.execute(db);
  await sql`create index videos_publish_at_idx on videos (publish_at) where publish_at is not null`.execute(
    db,
  );
}
