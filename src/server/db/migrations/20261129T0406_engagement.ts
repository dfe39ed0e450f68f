import { sql, type Kysely } from "kysely";

/**
 * Plays, likes and saved videos, with statistics per hour and per UTC day. Tables that grow with plays
 * are partitioned by time, so that new rows go to small indexes and old partitions are dropped whole.
 *
 * `watches.bins` stores how often each hundredth of a video was played, in two bits. `video_bins` and
 * `site_bins` store the sums per day. The day -infinity has the sums of older days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Plays need no reference to their video, nor an index for it: writers lock the video first, and
  // rows of a removed video go with their partition.
  await sql`
    create table watches (
      visitor_id uuid not null,
      video_id uuid not null,
      counted_at timestamptz not null,
      engaged boolean not null default false,
      completed boolean not null default false,
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      updated_at timestamptz not null default now(),
      reward_weight real not null default 1,
      origin text,
      visitor_weight real not null default 1,
      bins bytea,
      bins_since timestamptz
    ) partition by range (updated_at);
    create index watches_engaged_idx on watches (video_id, updated_at desc, visitor_id desc)
      where engaged;
    create index watches_key_idx on watches (visitor_id, video_id);
    create index watches_recent_idx on watches (visitor_id, updated_at desc)`.execute(db);
  await addFirstPartitions(db, "watches", "month");
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
      unranked_views bigint not null default 0,
      primary key (video_id, hour)
    ) partition by range (hour);
    create index video_stats_hour_idx on video_stats_hourly (hour);

    create table video_stats_daily (
      video_id uuid not null references videos (id) on delete cascade,
      day timestamptz not null,
      views bigint not null default 0 check (views >= 0),
      engaged bigint not null default 0 check (engaged >= 0),
      completed bigint not null default 0 check (completed >= 0),
      likes bigint not null default 0,
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      unranked_views bigint not null default 0,
      primary key (video_id, day)
    ) partition by range (day);

    create table site_stats_hourly (
      hour timestamptz primary key,
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0,
      completed bigint not null default 0 check (completed >= 0),
      watch_time_s double precision not null default 0 check (watch_time_s >= 0)
    )`.execute(db);
  await addFirstPartitions(db, "video_stats_hourly", "day");
  await addFirstPartitions(db, "video_stats_daily", "month");
  await sql`
    create table likes (
      video_id uuid not null references videos (id) on delete cascade,
      visitor_id uuid not null,
      created_at timestamptz not null default now(),
      is_ranked boolean not null default true,
      primary key (video_id, visitor_id)
    );
    create index likes_visitor_idx on likes (visitor_id, created_at desc);

    create table favorites (
      video_id uuid not null references videos (id) on delete cascade,
      visitor_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (video_id, visitor_id)
    );
    create index favorites_visitor_idx on favorites (visitor_id, created_at desc);

    create table address_counts (
      video_id uuid not null references videos (id) on delete cascade,
      address_group text not null,
      plays int not null default 0,
      likes int not null default 0,
      created_at timestamptz not null default now(),
      completions int not null default 0,
      primary key (video_id, address_group)
    );
    create index address_counts_created_idx on address_counts (created_at);

    create table device_transfers (
      code_hash bytea primary key check (length(code_hash) = 32),
      data text not null,
      expires_at timestamptz not null,
      visitor_id uuid,
      address_group text
    );
    create index device_transfers_expiry_idx on device_transfers (expires_at)`.execute(db);
  await sql`
    create table video_bins (
      video_id uuid not null references videos (id) on delete cascade,
      day date not null,
      plays int not null,
      watched int[] not null,
      replayed int[] not null,
      primary key (video_id, day)
    );
    create index video_bins_day_idx on video_bins (day);

    create table site_bins (
      day date primary key,
      plays int not null,
      watched int[] not null,
      replayed int[] not null
    );

    create table video_sources (
      video_id uuid not null references videos (id) on delete cascade,
      day date not null,
      kind text not null,
      name text not null,
      plays int not null,
      primary key (video_id, day, kind, name)
    );
    create index video_sources_day_idx on video_sources (day);

    create table site_sources (
      day date not null,
      kind text not null,
      name text not null,
      plays int not null,
      primary key (day, kind, name)
    )`.execute(db);
  await sql`
    create function add_bins(a int[], b int[]) returns int[] language sql immutable parallel safe
    as $$
      select array_agg(coalesce(x, 0) + coalesce(y, 0) order by n)
      from unnest(a, b) with ordinality as u (x, y, n)
    $$`.execute(db);
  await sql`create aggregate sum_bins(int[]) (sfunc = add_bins, stype = int[], parallel = safe,
    combinefunc = add_bins)`.execute(db);
  await addRewards(db);
}

/**
 * Rewards of the For You feed as sums in each video's row, written with the counts of the same play.
 * `fill_rewards` computes them from what is stored; a test compares it with the code.
 */
async function addRewards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function reward_scale(at timestamptz) returns double precision
    language sql immutable strict parallel safe as $$
      select power(2::float8, extract(epoch from at - '2026-01-01 00:00:00+00'::timestamptz)::float8 / 1209600)
    $$`.execute(db);
  // Older plays count less than a hundredth.
  await sql`
    create function fill_rewards(at timestamptz default now()) returns void language sql as $$
      with recent as (
        select w.*, count(*) over (partition by w.visitor_id) as videos
        from watches w where w.updated_at > at - interval '90 days'
      ), plays as (
        select w.video_id, w.reward_weight * case when w.videos = 1 then least(1, 0.1 / nullif(w.reward_weight, 0)) else 1 end as weight,
          reward_scale(w.counted_at) as scale, reward_scale(l.created_at) as liked,
          case when w.completed then 1 when w.watch_time_s < 2 or v.duration_s <= 0 then 0
            else least(1, w.watch_time_s / v.duration_s) end as reward
        from recent w join videos v on v.id = w.video_id
        left join likes l on l.video_id = w.video_id and l.visitor_id = w.visitor_id
      ), sums as (
        select video_id, sum(weight * (scale * reward + 0.2 * coalesce(liked, 0))) as sum,
          sum(weight * scale) as count
        from plays where weight > 0 group by 1
      )
      update videos v set
        reward_sum = s.sum * least(1, 100 * reward_scale(at) / s.count),
        reward_count = least(s.count, 100 * reward_scale(at))
      from sums s where v.id = s.video_id
    $$`.execute(db);
}

/**
 * Adds the partition that ends with the current month or day in UTC, and one for rows that fit into
 * no other. A job adds later ones; see `db/partitions.ts`.
 */
async function addFirstPartitions(
  db: Kysely<unknown>,
  table: string,
  unit: "day" | "month",
): Promise<void> {
  const { rows } = await sql<{ end: string }>`
    select to_char(date_trunc(${unit}, now() at time zone 'UTC') + ('1 ' || ${unit})::interval,
      'YYYY-MM-DD') as end`.execute(db);
  const end = rows[0]?.end ?? "";
  await sql`
    create table ${sql.table(`${table}_to_${end.replaceAll("-", "")}`)} partition of ${sql.table(table)}
      for values from (minvalue) to (${sql.lit(`${end} 00:00:00+00`)});
    create table ${sql.table(`${table}_rest`)} partition of ${sql.table(table)} default`.execute(
    db,
  );
}
