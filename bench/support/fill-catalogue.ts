import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import { foldTallies } from "#server/features/videos/query/tallies.sql.ts";
import { engagementWeight, halfLifeMs } from "#server/features/engagement/engagement.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { slugify } from "#server/lib/names.ts";
import { generateCatalogue, type GeneratedVideo } from "./catalogue.ts";
import { createIndexes, dropIndexes, runLanes, type Lane } from "./fill-lanes.ts";
import { fillWatches } from "./fill-watches.ts";
import { hashUnit } from "./hash-unit.ts";

const dayS = 24 * 3600;
/** Period with hourly watch data. Growth needs two months. */
const statisticsS = 60 * dayS;
const chunkSize = 2000;
const maxHoursPerVideo = 40;

export interface FillOptions {
  videos: number;
  /** Approximate number of rows in `watches`. */
  watches: number;
  seed: number;
  now?: number;
  onProgress?: (done: string) => void;
}

interface Chunk {
  firstNumber: number;
  videos: GeneratedVideo[];
}

/**
 * Writes a generated catalogue in large statements, with the data that counting would have
 * produced: totals, hourly statistics, trends, and watches by visitors with tastes. There are no
 * media files: rows only contain their paths. Needs a superuser, because triggers and indexes are
 * restored at the end, and several connections, which share the work.
 */
export async function fillCatalogue(
  pool: Db,
  lanes: number,
  { videos, watches, seed, now = Date.now(), onProgress = () => undefined }: FillOptions,
): Promise<void> {
  const catalogue = generateCatalogue(videos, seed);
  const ids = {
    categories: await insertLabels(pool, "categories", catalogue.categories),
    tags: await insertLabels(pool, "tags", catalogue.tags),
    actors: await insertLabels(pool, "actors", catalogue.actors),
  };
  const dropped = await dropIndexes(pool);
  try {
    const chunks = cut(catalogue.videos);
    await runLanes(pool, lanes, async (lane) => {
      for (const chunk of chunks) {
        await insertVideos(lane, chunk, ids, { seed, now });
        const done = chunk.firstNumber + chunk.videos.length;
        if (done % 10_000 === 0) onProgress(`${done} videos`);
      }
    });
    await fillWatches(pool, lanes, { watches, seed, now, onProgress });
    await runLanes(pool, 1, keepSums);
    await sql`select fill_rewards()`.execute(pool);
  } finally {
    await createIndexes(pool, lanes, dropped, onProgress);
  }
  await sql`vacuum (analyze)`.execute(pool);
  await foldTallies(pool);
}

/** Divides the videos into chunks. Several lanes share them. */
function* cut(videos: Iterable<GeneratedVideo>): Generator<Chunk> {
  let chunk: Chunk = { firstNumber: 0, videos: [] };
  for (const video of videos) {
    chunk.videos.push(video);
    if (chunk.videos.length < chunkSize) continue;
    yield chunk;
    chunk = { firstNumber: chunk.firstNumber + chunkSize, videos: [] };
  }
  if (chunk.videos.length > 0) yield chunk;
}

/** Writes the sums that triggers normally maintain. */
async function keepSums(lane: Lane): Promise<void> {
  await sql`
    insert into site_stats_hourly (hour, views, likes, completed)
    select hour, sum(views), sum(likes), sum(completed) from video_stats_hourly group by 1
    on conflict do nothing`.execute(lane);
  await sql`
    insert into video_range_scores (video_id, is_listed)
    select id, is_listed from videos on conflict do nothing`.execute(lane);
  await sql`
    insert into related_queue select id, false, views from videos where is_listed`.execute(lane);
  await sql`update ranking_window set hour = 'epoch'`.execute(lane);
  await sql`select move_ranking_window(now())`.execute(lane);
  await sql`
    insert into tally_changes
    select '00000000-0000-0000-0000-000000000000'::uuid, count(*),
      count(*) filter (where is_listed), sum(views), sum(likes),
      sum(views) filter (where is_listed), sum(likes) filter (where is_listed),
      sum(source_bytes), sum(stored_bytes)
    from videos`.execute(lane);
  await sql`
    insert into tally_changes (scope, videos, listed)
    select category_id, count(*), count(listed_at) from video_categories group by 1
    union all select tag_id, count(*), count(listed_at) from video_tags group by 1
    union all select actor_id, count(*), count(listed_at) from video_actors group by 1`.execute(
    lane,
  );
}

async function insertLabels(
  db: Db,
  table: "categories" | "tags" | "actors",
  names: string[],
): Promise<string[]> {
  const rows = names.map((name) => ({ id: newId(), name, slug: slugify(name) }));
  await sql`
    insert into ${sql.table(table)} (id, name, slug)
    select * from unnest(${rows.map((r) => r.id)}::uuid[], ${names}::text[], ${rows.map((r) => r.slug)}::text[])
    on conflict do nothing`.execute(db);
  const known = await db.selectFrom(table).select(["id", "slug"]).execute();
  const bySlug = new Map(known.map((row) => [row.slug, row.id]));
  return rows.map((row) => bySlug.get(row.slug) ?? row.id);
}

const insertLinks = (table: string, column: string, of: string) => sql`
  insert into ${sql.table(table)} (video_id, ${sql.ref(column)}, position, listed_at)
  select g.id, label, position - 1, case when g.is_published then g.at end
  from given g cross join unnest(${sql.ref(of)}::uuid[]) with ordinality as l (label, position)`;

/** Inserts videos with their hours, trend, labels and search documents. */
async function insertVideos(
  lane: Lane,
  { firstNumber, videos }: Chunk,
  labels: Record<"categories" | "tags" | "actors", string[]>,
  { seed, now }: { seed: number; now: number },
): Promise<void> {
  const ids = videos.map((video) => newId(now - video.ageMs));
  const col = <T>(of: (video: GeneratedVideo) => T) => videos.map(of);
  const links = (kind: keyof typeof labels) =>
    col((video) => `{${video[kind].map((n) => labels[kind][n]).join(",")}}`);
  const nowS = sql`${now / 1000}::float8`;
  const unit = hashUnit(sql`number * 64 + n`, seed);
  await sql`
    with given as materialized (
      select g.*, ${firstNumber} + row - 1 as number, ${nowS} - age_s as made_s,
        to_timestamp(${nowS} - age_s) as at, least(age_s, ${statisticsS}) as known_s,
        case when age_s <= ${statisticsS} then 0.7 else 1 end as skew,
        least(1, (${statisticsS} / age_s) ^ 1.3) as share
      from unnest(
        ${ids}::uuid[], ${col((v) => v.slug)}::text[], ${col((v) => v.title)}::text[],
        ${col((v) => v.description)}::text[], ${col((v) => v.isPublished)}::boolean[],
        ${col((v) => v.isPremium)}::boolean[], ${col((v) => Math.max(1, v.ageMs / 1000))}::float8[],
        ${col((v) => v.durationS)}::float8[], ${col(() => newToken())}::text[],
        ${col((v) => v.views)}::bigint[], ${col((v) => v.likes)}::bigint[],
        ${col((v) => v.engaged)}::bigint[], ${col((v) => v.completed)}::bigint[],
        ${links("categories")}::text[], ${links("tags")}::text[], ${links("actors")}::text[]
      ) with ordinality as g (id, slug, title, description, is_published, is_premium, age_s,
        duration_s, token, views, likes, engaged, completed, categories, tags, actors, row)
    ), spread as (
      -- The part of the views that lies in the time known by the hour, more of them early on.
      select id, hour_s, count(*) * greatest(1, floor(views * share * share / parts))::bigint as views,
        count(*) * floor(completed * share / parts)::bigint as completed,
        count(*) * floor(likes * share / parts)::bigint as likes
      from (
        select given.*, parts, floor((${nowS} - known_s * ${unit} ^ skew) / 3600) * 3600 as hour_s
        from given
        cross join lateral (select least(floor(views * share), ${maxHoursPerVideo})::int as parts) p
        cross join lateral generate_series(1, parts) as n
      ) plays group by id, hour_s, views, completed, likes, share, parts
    ), hours as materialized (select * from spread
    ), trends as (
      select id, ln(sum((views * ${engagementWeight.view}::float8
          + completed * ${engagementWeight.completed} + likes * ${engagementWeight.like})
        * 2 ^ ((hour_s - ${nowS}) * 1000 / ${halfLifeMs}))) / ln(2) + ${nowS} * 1000 / ${halfLifeMs} as trend
      from hours group by id
    ), counted as (
      insert into video_stats_hourly (video_id, hour, views, completed, likes)
      select id, to_timestamp(hour_s), views, completed, likes from hours
    ), categorised as (${insertLinks("video_categories", "category_id", "categories")}
    ), tagged as (${insertLinks("video_tags", "tag_id", "tags")}
    ), acted as (${insertLinks("video_actors", "actor_id", "actors")}
    )
    insert into videos (id, slug, title, description, status, is_published, is_premium, published_at,
      duration_s, width, height, media_token, thumbnail_key, poster_key, progressive_key,
      progressive_small_key, hls_key, preview_key, progress, views, likes, engaged, completed,
      watch_time_s, trend, source_bytes, stored_bytes, created_at, updated_at)
    select id, slug, title, description, 'ready', is_published, is_premium,
      case when is_published then at end, duration_s, 1280, 720, token,
      'v/' || token || '/w640.webp', 'v/' || token || '/poster.webp',
      'v/' || token || '/play.mp4', 'v/' || token || '/small.mp4', 'v/' || token || '/hls/master.m3u8',
      'v/' || token || '/preview.mp4', 1, views, likes, engaged, completed,
      views * duration_s * 0.4, coalesce(trend, '-Infinity'), (duration_s * 600000)::bigint,
      (duration_s * 450000)::bigint, at, at
    from given left join trends using (id)`.execute(lane);
  await sql`select write_search_documents(${ids}::uuid[])`.execute(lane);
}
