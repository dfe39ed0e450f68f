import { sql } from "kysely";
import type { Db } from "../../src/server/db/connection.ts";
import {
  addScores,
  engagementPoints,
  eventScore,
} from "../../src/server/features/engagement/engagement.ts";
import { newId, newToken } from "../../src/server/lib/ids.ts";
import { slugify } from "../../src/server/lib/slug.ts";
import { generateCatalogue, type GeneratedVideo } from "./catalogue.ts";
import { createRandom, type Random } from "../../test/reference/random.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far back watching is known by the hour: growth needs two months. */
const statisticsMs = 60 * dayMs;
const chunkSize = 1000;
const maxHoursPerVideo = 40;

interface HourRow {
  videoId: string;
  hour: Date;
  views: number;
  completed: number;
  likes: number;
}

interface FilledVideo {
  id: string;
  generated: GeneratedVideo;
  hours: HourRow[];
  trend: number;
}

/**
 * Writes a generated catalogue in big statements, with what counting would have left behind: totals,
 * statistics by the hour, trends, and watches of visitors with tastes. There are no media files:
 * rows point to where they would be. Needs a superuser, since triggers and indexes wait until the
 * end, which is several times faster.
 */
export async function fillCatalogue(
  pool: Db,
  options: { videos: number; seed: number; now?: number; onProgress?: (done: number) => void },
): Promise<void> {
  await pool.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db);
    const definitions = await dropIndexes(db);
    try {
      await writeRows(db, options);
    } finally {
      for (const definition of definitions) await sql.raw(definition).execute(db);
      await sql`reset session_replication_role`.execute(db);
    }
    await sql`vacuum (analyze)`.execute(db);
  });
}

/** Drops indexes that only speed reading up; returns their definitions. */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisunique and i.indrelid = any(
      array['videos', 'video_categories', 'video_tags', 'video_actors', 'video_stats_hourly',
        'video_range_scores', 'video_search', 'watches']::regclass[])
    order by 1`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows.map((row) => row.definition);
}

async function writeRows(
  db: Db,
  options: { videos: number; seed: number; now?: number; onProgress?: (done: number) => void },
): Promise<void> {
  const { videos: count, seed, now = Date.now(), onProgress } = options;
  const catalogue = generateCatalogue(count, seed);
  const random = createRandom(seed + 1);
  const ids = {
    categories: await insertLabels(db, "categories", catalogue.categories),
    tags: await insertLabels(db, "tags", catalogue.tags),
    actors: await insertLabels(db, "actors", catalogue.actors),
  };
  const byTag = new Map<number, string[]>();
  let chunk: FilledVideo[] = [];
  let done = 0;
  const flush = async () => {
    if (chunk.length === 0) return;
    await insertVideos(db, chunk, now);
    await insertLinks(db, "video_categories", "category_id", chunk, (v) =>
      v.generated.categories.map((n) => ids.categories[n]),
    );
    await insertLinks(db, "video_tags", "tag_id", chunk, (v) =>
      v.generated.tags.map((n) => ids.tags[n]),
    );
    await insertLinks(db, "video_actors", "actor_id", chunk, (v) =>
      v.generated.actors.map((n) => ids.actors[n]),
    );
    await insertHours(
      db,
      chunk.flatMap((v) => v.hours),
    );
    await sql`select write_search_documents(${chunk.map((v) => v.id)}::uuid[])`.execute(db);
    done += chunk.length;
    chunk = [];
    onProgress?.(done);
  };
  for (const generated of catalogue.videos) {
    const id = newId(now - generated.ageMs);
    const hours = generated.isPublished ? spreadViews(random, id, generated, now) : [];
    let trend = -Infinity;
    for (const counts of hours) {
      trend = addScores(trend, eventScore(engagementPoints(counts), counts.hour.getTime()));
    }
    chunk.push({ id, generated, hours, trend });
    if (generated.isPublished) {
      for (const tag of generated.tags) {
        const known = byTag.get(tag) ?? [];
        // A part of a large tag will do: who watches it are few as well.
        if (known.length < 400) byTag.set(tag, [...known, id]);
      }
    }
    if (chunk.length === chunkSize) await flush();
  }
  await flush();
  await insertWatches(db, random, byTag, catalogue.tags.length, Math.ceil(count / 10), now);
  await keepSums(db);
}

/** Writes the sums that triggers keep otherwise. */
async function keepSums(db: Db): Promise<void> {
  await sql`
    insert into site_stats_hourly (hour, views, likes, completed)
    select hour, sum(views), sum(likes), sum(completed) from video_stats_hourly group by 1
    on conflict do nothing`.execute(db);
  await sql`
    insert into video_range_scores (video_id, is_listed)
    select id, is_listed from videos on conflict do nothing`.execute(db);
  await sql`update ranking_window set hour = 'epoch'`.execute(db);
  await sql`select move_ranking_window(now())`.execute(db);
  await sql`
    insert into tally_changes
    select '00000000-0000-0000-0000-000000000000'::uuid, count(*),
      count(*) filter (where is_listed), sum(views), sum(likes),
      sum(views) filter (where is_listed), sum(likes) filter (where is_listed),
      sum(source_bytes), sum(stored_bytes)
    from videos`.execute(db);
  await sql`
    insert into tally_changes (scope, videos, listed)
    select category_id, count(*), count(listed_at) from video_categories group by 1
    union all select tag_id, count(*), count(listed_at) from video_tags group by 1
    union all select actor_id, count(*), count(listed_at) from video_actors group by 1`.execute(db);
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

async function insertVideos(db: Db, videos: FilledVideo[], now: number): Promise<void> {
  const col = <T>(of: (video: FilledVideo) => T) => videos.map(of);
  await sql`
    insert into videos (id, slug, title, description, status, is_published, is_premium, published_at,
      duration_s, width, height, media_token, thumbnail_key, poster_key, progressive_key,
      progressive_small_key, hls_key, preview_key, progress, views, likes, engaged, completed,
      watch_time_s, trend, source_bytes, stored_bytes, created_at, updated_at)
    select id, slug, title, description, 'ready', is_published, is_premium,
      case when is_published then at end, duration_s, 1280, 720, token,
      'v/' || token || '/thumbnail.webp', 'v/' || token || '/poster.webp',
      'v/' || token || '/play.mp4', 'v/' || token || '/small.mp4', 'v/' || token || '/hls/master.m3u8',
      'v/' || token || '/preview.mp4', 1, views, likes, engaged, completed,
      views * duration_s * 0.4, trend::float8, (duration_s * 600000)::bigint,
      (duration_s * 450000)::bigint, at, at
    from unnest(
      ${col((v) => v.id)}::uuid[], ${col((v) => v.generated.slug)}::text[], ${col((v) => v.generated.title)}::text[],
      ${col((v) => v.generated.description)}::text[], ${col((v) => v.generated.isPublished)}::boolean[],
      ${col((v) => v.generated.isPremium)}::boolean[], ${col((v) => new Date(now - v.generated.ageMs))}::timestamptz[],
      ${col((v) => v.generated.durationS)}::float8[], ${col(() => newToken())}::text[],
      ${col((v) => v.generated.views)}::bigint[], ${col((v) => v.generated.likes)}::bigint[],
      ${col((v) => v.generated.engaged)}::bigint[], ${col((v) => v.generated.completed)}::bigint[],
      ${col((v) => String(v.trend))}::text[]
    ) as g (id, slug, title, description, is_published, is_premium, at, duration_s, token,
      views, likes, engaged, completed, trend)`.execute(db);
}

async function insertLinks(
  db: Db,
  table: string,
  column: string,
  videos: FilledVideo[],
  labelsOf: (video: FilledVideo) => (string | undefined)[],
): Promise<void> {
  const links = videos.flatMap((video) =>
    labelsOf(video).flatMap((label, position) =>
      label === undefined ? [] : [{ video: video.id, label, position }],
    ),
  );
  await sql`
    insert into ${sql.table(table)} (video_id, ${sql.ref(column)}, position, listed_at)
    select g.video, g.label, g.position, listed_at(v.is_listed, v.published_at)
    from unnest(${links.map((l) => l.video)}::uuid[], ${links.map((l) => l.label)}::uuid[],
      ${links.map((l) => l.position)}::int[]) as g (video, label, position)
    join videos v on v.id = g.video`.execute(db);
}

/** The part of the views that lies in the time known by the hour, more of them early in its life. */
function spreadViews(
  random: Random,
  videoId: string,
  generated: GeneratedVideo,
  now: number,
): HourRow[] {
  const knownMs = Math.min(generated.ageMs, statisticsMs);
  const share = generated.ageMs <= statisticsMs ? 1 : (statisticsMs / generated.ageMs) ** 1.3;
  const recent = Math.floor(generated.views * share);
  const rowCount = Math.min(recent, maxHoursPerVideo);
  const rows = new Map<number, HourRow>();
  const part = (total: number) => Math.floor((total * share) / Math.max(1, rowCount));
  for (let n = 0; n < rowCount; n += 1) {
    const at =
      now - Math.floor(knownMs * random.next() ** (generated.ageMs <= statisticsMs ? 0.7 : 1));
    const hour = at - (at % hourMs);
    const row = rows.get(hour) ?? {
      videoId,
      hour: new Date(hour),
      views: 0,
      completed: 0,
      likes: 0,
    };
    row.views += Math.max(1, part(recent));
    row.completed += part(generated.completed);
    row.likes += part(generated.likes);
    rows.set(hour, row);
  }
  return [...rows.values()];
}

async function insertHours(db: Db, rows: HourRow[]): Promise<void> {
  await sql`
    insert into video_stats_hourly (video_id, hour, views, completed, likes)
    select * from unnest(${rows.map((r) => r.videoId)}::uuid[], ${rows.map((r) => r.hour)}::timestamptz[],
      ${rows.map((r) => r.views)}::bigint[], ${rows.map((r) => r.completed)}::bigint[],
      ${rows.map((r) => r.likes)}::bigint[])`.execute(db);
}

/** Visitors who stay with a theme or two: what is watched together belongs together. */
async function insertWatches(
  db: Db,
  random: Random,
  byTag: Map<number, string[]>,
  tagCount: number,
  visitors: number,
  now: number,
): Promise<void> {
  let rows: { visitor: string; video: string; at: Date; isEngaged: boolean }[] = [];
  const flush = async () => {
    await sql`
      insert into watches (visitor_id, video_id, counted_at, engaged, updated_at)
      select visitor, video, at, engaged, at from unnest(${rows.map((r) => r.visitor)}::uuid[],
        ${rows.map((r) => r.video)}::uuid[], ${rows.map((r) => r.at)}::timestamptz[],
        ${rows.map((r) => r.isEngaged)}::boolean[]) as g (visitor, video, at, engaged)
      on conflict do nothing`.execute(db);
    rows = [];
  };
  for (let n = 0; n < visitors; n += 1) {
    const visitor = newId(now - random.below(30) * dayMs);
    for (let theme = 0; theme < 2; theme += 1) {
      const videos = byTag.get(random.zipf(tagCount)) ?? [];
      for (let w = 0; w < 10 && videos.length > 0; w += 1) {
        rows.push({
          visitor,
          video: videos[random.zipf(videos.length)] ?? "",
          at: new Date(now - random.below(30 * dayMs)),
          isEngaged: random.next() < 0.6,
        });
      }
    }
    if (rows.length > 5000) await flush();
  }
  await flush();
}
