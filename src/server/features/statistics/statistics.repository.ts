import { sql } from "kysely";
import type {
  AdminStatistics,
  AdminSystem,
  AdminStorage,
} from "#contract/lists/admin-statistics.ts";
import type { AdminStats } from "#contract/lists/statistics.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { siteDay, siteZone } from "#server/db/site-day.sql.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";
import { readSiteTally } from "#server/features/videos/query/tallies.sql.ts";
import type { VideoEvent } from "#contract/site/admin-events.ts";

const maxUnfinished = 200;

/** Returns the state of these videos and of all that are being processed. */
export async function listVideoEvents(db: DbOrTrx, ids: string[]): Promise<VideoEvent[]> {
  const { rows } = await sql<Omit<VideoEvent, "type" | "thumbnail"> & { key: string | null }>`
    select id, status, progress, failure_reason as "failureReason",
      is_published as "isPublished", thumbnail_key as key, version
    from videos where id = any(${ids}::uuid[])
    union all
    (select id, status, progress, failure_reason, is_published, thumbnail_key, version
    from videos where status = 'processing' or (status = 'ready' and progress < 1)
    order by created_at, id limit ${maxUnfinished})`.execute(db);
  return rows.map(({ key, ...row }) => ({ type: "video", ...row, thumbnail: mediaUrl(key) }));
}

/** Returns the latest bulk actions, with a text that changes with their state. */
export async function listBulkStates(db: DbOrTrx): Promise<{ id: string; state: string }[]> {
  const { rows } = await sql<{ id: string; state: string }>`
    select id, concat(state, done) as state from bulk_jobs
    order by created_at desc, id desc limit 10`.execute(db);
  return rows;
}

const listedUsers = 50;
const listedVideos = 20;

/** Returns the bytes of each uploader's videos, largest first. */
export async function listUsage(db: DbOrTrx): Promise<AdminStorage["users"]> {
  const { rows } = await sql<AdminStorage["users"][number]>`
    select u.id, coalesce(nullif(u.name, ''), u.email) as name, sums.videos,
      sums."originalBytes", sums."renditionBytes"
    from (
      select uploaded_by, count(*)::int as videos,
        coalesce(sum(source_bytes), 0)::float8 as "originalBytes",
        coalesce(sum(stored_bytes), 0)::float8 as "renditionBytes"
      from videos group by uploaded_by
    ) sums left join users u on u.id = sums.uploaded_by
    order by "originalBytes" + "renditionBytes" desc limit ${listedUsers}`.execute(db);
  return rows;
}

export async function listLargestVideos(db: DbOrTrx): Promise<AdminStorage["videos"]> {
  const { rows } = await sql<AdminStorage["videos"][number]>`
    select id, title, coalesce(source_bytes, 0)::float8 as "originalBytes",
      stored_bytes::float8 as "renditionBytes"
    from videos order by stored_bytes + coalesce(source_bytes, 0) desc, id
    limit ${listedVideos}`.execute(db);
  return rows;
}

export async function readTrashBytes(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size_bytes), 0)::float8 as bytes from removed_videos`.execute(db);
  return rows[0]?.bytes ?? 0;
}

const recentCount = 5;
const topCount = 5;
const queueCount = 8;

export async function readTotals(db: DbOrTrx): Promise<AdminStats> {
  const [site, totals, recent] = await Promise.all([
    readSiteTally(db),
    sql<Pick<AdminStats, "totalCategories" | "totalTags" | "totalActors">>`
      select (select count(*)::int from categories) as "totalCategories",
        (select count(*)::int from tags) as "totalTags",
        (select count(*)::int from actors) as "totalActors"`.execute(db),
    db
      .selectFrom("videos")
      .select(["id", "title", "created_at", "views"])
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(recentCount)
      .execute(),
  ]);
  const sums = totals.rows[0];
  return {
    totalVideos: site.videos,
    totalCategories: sums?.totalCategories ?? 0,
    totalTags: sums?.totalTags ?? 0,
    totalActors: sums?.totalActors ?? 0,
    totalViews: site.views,
    totalLikes: site.likes,
    recentVideos: recent.map((row) => ({
      id: row.id,
      title: row.title,
      createdAt: row.created_at.toISOString(),
      views: row.views,
    })),
  };
}

/** Returns the start of the day (UTC) that is `days` days before the day of `now`. */
const dayBefore = (now: Date, days: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - days));

type Day = AdminStatistics["days"][number];

/** Returns the sums of the last days in the site's time zone, including days without events. */
async function readDays(db: DbOrTrx, now: Date, days: number): Promise<Day[]> {
  const first = sql`(${siteDay(now)} - ${days - 1}::int)`;
  const { rows } = await sql<Day>`
    with days as (
      select ${first} + n as day from generate_series(0, ${days - 1}::int) as n
    ), plays as (
      select (hour at time zone ${siteZone})::date as day, sum(views) as views,
        sum(watch_time_s) as watch, sum(likes) as likes
      from site_stats_hourly where hour >= ${first}::timestamp at time zone ${siteZone} group by 1
    ), ads as (
      select day, sum(verified_impressions) as impressions, sum(verified_clicks) as clicks
      from ad_stats_daily where day >= ${first} group by 1
    )
    select to_char(days.day, 'YYYY-MM-DD') as date,
      coalesce(plays.views, 0)::float8 as plays,
      coalesce(plays.watch, 0)::float8 as "watchTimeS",
      -- A withdrawn like counts against the day of its withdrawal.
      greatest(coalesce(plays.likes, 0), 0)::float8 as likes,
      coalesce(ads.impressions, 0)::float8 as "adImpressions",
      coalesce(ads.clicks, 0)::float8 as "adClicks"
    from days left join plays using (day) left join ads using (day)
    order by days.day`.execute(db);
  return rows;
}

/** Number of candidates that are counted exactly before all videos are counted. */
const candidateCount = 200;

/** Selects plays by hour, or by day where hours have been folded. `from` is the start of a day. */
const playsSince = (from: Date) => sql`
  select video_id, views from video_stats_hourly where hour >= ${from}
  union all select video_id, views from video_stats_daily where day >= ${from}`;

interface TopRow {
  id: string;
  plays: number;
}

/**
 * Selects an upper bound for each video's plays in the range, in the order of an index: the rolling
 * sums of 168 and 720 hours, or all views.
 */
const playsUpperBound = (days: number) =>
  days <= 7
    ? sql`select video_id as id, views_week as bound from video_range_scores where is_listed
        order by views_week desc, video_id desc limit ${candidateCount}`
    : days <= 30
      ? sql`select video_id as id, views_month as bound from video_range_scores where is_listed
          order by views_month desc, video_id desc limit ${candidateCount}`
      : sql`select id, views as bound from videos where is_listed
          order by views desc, id desc limit ${candidateCount}`;

/**
 * Returns the most played videos. First counts the candidates with the highest bounds. If the last
 * of the top videos reaches the lowest of these bounds, no other video can exceed it. Otherwise
 * counts all videos.
 */
async function findTop(db: DbOrTrx, from: Date, days: number): Promise<TopRow[]> {
  const { rows } = await sql<TopRow & { floor: number; count: number }>`
    with candidates as materialized (${playsUpperBound(days)}), counted as (
      select l.id, (select coalesce(sum(s.views), 0) from (${playsSince(from)}) s
        where s.video_id = l.id)::float8 as plays
      from candidates l
    )
    select id, plays, (select min(bound) from candidates)::float8 as floor,
      (select count(*) from candidates)::int as count
    from counted where plays > 0 order by plays desc, id desc limit ${topCount}`.execute(db);
  const last = rows.at(-1);
  if (last !== undefined) {
    const isComplete = last.count < candidateCount;
    if (isComplete || (rows.length === topCount && last.plays >= last.floor)) return rows;
  }
  const all = await sql<TopRow>`
    select s.video_id as id, sum(s.views)::float8 as plays
    from (${playsSince(from)}) s join videos v on v.id = s.video_id
    where v.is_listed
    group by 1 having sum(s.views) > 0 order by 2 desc, 1 desc limit ${topCount}`.execute(db);
  return all.rows;
}

async function readTopVideos(
  db: DbOrTrx,
  from: Date,
  days: number,
): Promise<AdminStatistics["topVideos"]> {
  const top = await findTop(db, from, days);
  if (top.length === 0) return [];
  const rows = await db
    .selectFrom("videos")
    .select(["id", "slug", "title", "thumbnail_key"])
    .where(
      "id",
      "in",
      top.map(({ id }) => id),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return top.flatMap(({ id, plays }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { slug, title, thumbnail_key: key } = row;
    return [{ id, slug, title, plays, thumbnail: mediaUrl(key) }];
  });
}

/** Returns the last `days` days including today, and the sums of the same days a period earlier. */
export async function readStatistics(
  db: DbOrTrx,
  now: Date,
  days: number,
): Promise<AdminStatistics> {
  const [all, topVideos] = await Promise.all([
    readDays(db, now, days * 2),
    // By UTC days, because older plays are stored per UTC day.
    readTopVideos(db, dayBefore(now, days - 1), days),
  ]);
  const before = { plays: 0, watchTimeS: 0, likes: 0, adImpressions: 0, adClicks: 0 };
  // Without the day that corresponds to today, which isn't over.
  for (const day of all.slice(0, days - 1)) {
    before.plays += day.plays;
    before.watchTimeS += day.watchTimeS;
    before.likes += day.likes;
    before.adImpressions += day.adImpressions;
    before.adClicks += day.adClicks;
  }
  return { days: all.slice(days), before, topVideos };
}

export async function readQueue(db: DbOrTrx): Promise<AdminSystem["queue"]> {
  const [counts, next] = await Promise.all([
    sql<{ processing: number; finishing: number; failed: number }>`
      select
        (select count(*)::int from videos where status = 'processing') as processing,
        (select count(*)::int from videos where status = 'ready' and progress < 1) as finishing,
        (select count(*)::int from videos where status = 'failed') as failed`.execute(db),
    sql<AdminSystem["queue"]["videos"][number]>`
      select id, title, status, progress from videos
      where status = 'processing' or (status = 'ready' and progress < 1)
      order by created_at, id limit ${queueCount}`.execute(db),
  ]);
  return {
    processing: counts.rows[0]?.processing ?? 0,
    finishing: counts.rows[0]?.finishing ?? 0,
    failed: counts.rows[0]?.failed ?? 0,
    videos: next.rows,
  };
}

export async function readStoredBytes(
  db: DbOrTrx,
): Promise<{ originalBytes: number; renditionBytes: number }> {
  const { sourceBytes, storedBytes } = await readSiteTally(db);
  return { originalBytes: sourceBytes, renditionBytes: storedBytes };
}
