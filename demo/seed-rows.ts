import { sql, type RawBuilder } from "kysely";
import type { Db, Trx } from "#server/db/connection.ts";
import { halfLifeMs } from "#server/features/engagement/engagement.ts";
import { engagementSum } from "#server/features/engagement/trend.repository.ts";
import { seedWords } from "./seed-words.ts";

export interface SeedRowsOptions {
  videos: number;
  /** The same seed gives the same rows, except for times, which count back from `now`. */
  seed: number;
  now?: Date;
}

const halfLifeS = sql.lit(halfLifeMs / 1000);
const tagCount = 2000;
const actorCount = 3000;

/**
 * Fills the tables with plausible rows without media, in a few big statements: labels by a power
 * law, publication over three years, views with a long tail, and hourly statistics of the last 30
 * days for the most watched videos (one in twenty, at most 2,000).
 */
export async function seedRows(db: Db, options: SeedRowsOptions): Promise<void> {
  const now = options.now ?? new Date();
  const chance = chances(options.seed);
  await db.transaction().execute(async (trx) => {
    await insertLabels(trx, options.seed);
    await insertVideos(trx, options.videos, now, chance);
    await insertLinks(trx, chance);
    await insertHours(trx, now, chance);
    await sumUp(trx, now);
  });
  await sql`analyze`.execute(db);
}

/** Number from 0 up to 1 that depends on the seed, the row and a counter. */
type Chance = (row: string, question: number) => RawBuilder<number>;

const chances =
  (seed: number): Chance =>
  (row, question) => {
    // One multiplication doesn't separate neighbouring seeds enough, but two do.
    const salt = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(question + 1, 0x85ebca6b)) >>> 0;
    return sql<number>`((hashint8extended((${sql.raw(row)})::bigint, ${sql.lit(salt)}) & 4503599627370495) / 4503599627370496::float8)`;
  };

const words = (list: readonly string[]) => sql`${sql.val([...list])}::text[]`;

/** Picks one item of a list. */
const oneOf = (list: readonly string[], number: RawBuilder<number>) =>
  sql`(${words(list)})[1 + floor(${number} * ${sql.lit(list.length)})::int]`;

/** Builds a UUIDv7 with the time `at`. The other bits are a hash of `text`. */
const idOf = (at: RawBuilder<unknown>, text: RawBuilder<unknown>) => sql`(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(${text}), 1, 3) || 'a' || substr(md5(${text}), 4, 15))::uuid`;

async function insertLabels(trx: Trx, seed: number): Promise<void> {
  const { categories, moods, things, firstNames, lastNames } = seedWords;
  const names = {
    categories: { count: categories.length, name: sql`(${words(categories)})[n]` },
    tags: {
      count: tagCount,
      // 40 x 50 pairs, each of them once.
      name: sql`lower((${words(moods)})[1 + (n - 1) % 40] || ' ' || (${words(things)})[1 + (n - 1) / 40])`,
    },
    actors: {
      count: actorCount,
      name: sql`(${words(firstNames)})[1 + (n - 1) % 50] || ' ' || (${words(lastNames)})[1 + (n - 1) / 50]`,
    },
  };
  for (const [table, { count, name }] of Object.entries(names)) {
    await sql`
      insert into ${sql.table(table)} (id, name, slug)
      select ${idOf(sql`timestamptz '2024-01-01' + n * interval '1 second'`, sql`${`${table} ${seed} `} || n`)},
        name, trim(both '-' from regexp_replace(lower(unaccent(name)), '[^a-z0-9]+', '-', 'g'))
      from (select n, ${name} as name from generate_series(1, ${sql.lit(count)}) as n) numbered
      on conflict do nothing`.execute(trx);
  }
}

async function insertVideos(trx: Trx, count: number, now: Date, chance: Chance): Promise<void> {
  const { moods, things, links } = seedWords;
  // More videos are recent than old.
  const published = sql`${now}::timestamptz - interval '1095 days' * power(${chance("n", 1)}, 1.3)`;
  await sql`
    create temporary table seeded on commit drop as
    select n, at,
      ${idOf(sql`at`, sql`'video ' || n || ' ' || ${chance("n", 2)}`)} as id,
      (case when ${chance("n", 3)} < 0.5
        then concat_ws(' ', ${oneOf(moods, chance("n", 4))}, ${oneOf(things, chance("n", 5))})
        else concat_ws(' ', ${oneOf(things, chance("n", 5))}, ${oneOf(links, chance("n", 6))}, 'the',
          ${oneOf(moods, chance("n", 4))}, ${oneOf(things, chance("n", 7))})
        end) || case when ${chance("n", 8)} < 0.3 then ', part ' || 1 + floor(${chance("n", 9)} * 12) else '' end
        as title,
      ${chance("n", 10)} < 0.97 as is_published,
      ${chance("n", 11)} < 0.05 as is_premium,
      ${chance("n", 12)} < 0.35 as is_tall,
      round((4 + 1200 * power(${chance("n", 13)}, 3))::numeric, 2) as duration_s,
      -- A power law: the exponent is close to that of real sites.
      least(8e6, 320 / power(1e-6 + ${chance("n", 14)}, 0.85)
        * (0.3 + 0.7 * (1 - exp(-extract(epoch from ${now}::timestamptz - at)::float8 / 86400 / 20))))::bigint as views,
      0.25 + 0.5 * ${chance("n", 15)} as engaged_share,
      0.05 + 0.35 * ${chance("n", 16)} as completed_share,
      0.004 + 0.09 * power(${chance("n", 17)}, 2) as like_share
    from (select n, ${published} as at from generate_series(1, ${sql.lit(count)}) as n) numbered`.execute(
    trx,
  );
  await sql`
    insert into videos (id, slug, title, description, status, is_published, is_premium, published_at,
      duration_s, width, height, media_token, thumbnail_key, progressive_key, views, likes, engaged, completed, watch_time_s, trend,
      created_at, updated_at)
    select id,
      trim(both '-' from regexp_replace(lower(title), '[^a-z0-9]+', '-', 'g')) || '-' || to_hex(n + 4096),
      title, title || '. Made for measuring; there is nothing to play.', 'ready', is_published, is_premium,
      case when is_published then at end, duration_s,
      case when is_tall then 1080 else 1920 end, case when is_tall then 1920 else 1080 end,
      token, 'v/' || token || '/thumbnail.webp', 'v/' || token || '/play.mp4',
      case when is_published then views else 0 end,
      case when is_published then (views * like_share)::bigint else 0 end,
      case when is_published then (views * engaged_share)::bigint else 0 end,
      case when is_published then (views * completed_share)::bigint else 0 end,
      case when is_published then views * duration_s * (0.1 + completed_share) else 0 end,
      -- What remains of old engagement. The hours below add the rest.
      case when is_published and views > 0
        then ln(views * ${engagementSum({
          views: sql`1`,
          completed: sql`completed_share`,
          likes: sql`like_share`,
        })}) / ln(2::float8)
          + extract(epoch from at)::float8 / ${halfLifeS} + 1 else '-Infinity' end,
      at, at
    from seeded
    cross join lateral (
      select substr(replace(id::text, '-', ''), 1, 22) || to_hex(n) as token) given
    order by n`.execute(trx);
}

async function insertLinks(trx: Trx, chance: Chance): Promise<void> {
  for (const { table, join, column, max, min, power, question } of [
    {
      table: "categories",
      join: "video_categories",
      column: "category_id",
      min: 1,
      max: 2,
      power: 1.6,
      question: 30,
    },
    {
      table: "tags",
      join: "video_tags",
      column: "tag_id",
      min: 2,
      max: 6,
      power: 2.6,
      question: 40,
    },
    {
      table: "actors",
      join: "video_actors",
      column: "actor_id",
      min: 0,
      max: 3,
      power: 2.2,
      question: 50,
    },
  ]) {
    await sql`
      with ranked as materialized (select array_agg(id order by md5(name)) as ids from ${sql.table(table)})
      insert into ${sql.table(join)} (video_id, ${sql.id(column)}, position)
      select video_id, label_id, min(position) from (
        select s.id as video_id, p as position, r.ids[1 + floor(
            cardinality(r.ids) * power(${chance("s.n * 16 + p", question)}, ${sql.lit(power)}))::int] as label_id
        from seeded s cross join ranked r cross join generate_series(1, ${sql.lit(max)}) as p
        where p <= ${sql.lit(min)} + floor(${chance("s.n", question + 1)} * ${sql.lit(max - min + 1)})
      ) picked group by 1, 2 order by 1, 3`.execute(trx);
  }
}

async function insertHours(trx: Trx, now: Date, chance: Chance): Promise<void> {
  // Views vary by a factor of three between early morning and evening.
  const rhythm = sql`(1 + 0.5 * sin((extract(hour from hour)::float8 - 12) * pi() / 12))`;
  await sql`
    insert into video_stats_hourly (video_id, hour, views, engaged, completed, likes, watch_time_s)
    select video_id, hour, views, (views * engaged_share)::bigint, (views * completed_share)::bigint,
      (views * like_share + ${chance("key", 60)})::bigint, views * duration_s * (0.1 + completed_share)
    from (
      select w.id as video_id, hour, w.engaged_share, w.completed_share, w.like_share, w.duration_s,
        w.n * 1000 + h as key,
        floor(w.hourly * ${rhythm} * (0.4 + 1.2 * ${chance("w.n * 1000 + h", 61)})
          * exp(-greatest(0, extract(epoch from hour - w.at)::float8) / 86400 / 9) * 4
          + ${chance("w.n * 1000 + h", 62)})::bigint as views
      from (
        -- This month holds most views of a young video and few of an old one.
        select *, least(views * 0.004::float8,
          views * 0.00125::float8 * (0.02 + exp(-extract(epoch from ${now}::timestamptz - at)::float8 / 86400 / 40))) as hourly
        from seeded where is_published
        order by views * exp(-extract(epoch from ${now}::timestamptz - at)::float8 / 86400 / 60) desc, n
        limit (select greatest(200, least(count(*) / 20, 2000)) from seeded)
      ) w
      cross join generate_series(0, 719) as h
      cross join lateral (
        select date_trunc('hour', ${now}::timestamptz, 'UTC') - h * interval '1 hour' as hour) at_hour
      where hour >= w.at
    ) picked
    where views > 0`.execute(trx);
}

/**
 * Makes totals equal the sum of their hours, computes trends from them, and sums up the site's
 * hours.
 */
async function sumUp(trx: Trx, now: Date): Promise<void> {
  await sql`
    update videos v set
      views = greatest(v.views, s.views),
      engaged = greatest(v.engaged, s.engaged),
      completed = greatest(v.completed, s.completed),
      likes = greatest(v.likes, s.likes),
      trend = s.score
    from (
      select video_id, sum(views) as views, sum(engaged) as engaged, sum(completed) as completed,
        sum(likes) as likes,
        ln(sum(${engagementSum({ views: sql`views`, completed: sql`completed`, likes: sql`likes` })}
          * power(2::float8, extract(epoch from hour - ${now}::timestamptz)::float8 / ${halfLifeS}))) / ln(2::float8)
          + extract(epoch from ${now}::timestamptz)::float8 / ${halfLifeS} as score
      from video_stats_hourly where video_id in (select id from seeded) group by 1
    ) s
    where v.id = s.video_id`.execute(trx);
  await sql`
    insert into site_stats_hourly as site (hour, views, likes, completed, watch_time_s)
    select hour, sum(views), sum(likes), sum(completed), sum(watch_time_s)
    from (
      select hour, views, likes, completed, watch_time_s from video_stats_hourly
      where video_id in (select id from seeded)
      union all
      -- The month before was a little quieter: growth has something to be measured against.
      select hour - interval '30 days', views * 0.9, likes * 0.9, completed * 0.9, watch_time_s * 0.9
      from video_stats_hourly where video_id in (select id from seeded)
    ) hours
    group by hour
    on conflict (hour) do update set views = site.views + excluded.views,
      likes = site.likes + excluded.likes, completed = site.completed + excluded.completed,
      watch_time_s = site.watch_time_s + excluded.watch_time_s`.execute(trx);
}
