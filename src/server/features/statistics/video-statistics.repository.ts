import { sql } from "kysely";
import type { VideoStatistics } from "#contract/lists/admin-statistics.ts";
import { playOrigins } from "#contract/videos/play-origins.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Returns a video's plays and watch time of the last days including today, oldest first. */
export async function readVideoDays(
  db: DbOrTrx,
  videoId: string,
  { now, days }: { now: Date; days: number },
): Promise<VideoStatistics["days"]> {
  const { rows } = await sql<VideoStatistics["days"][number]>`
    with days as (
      select (${now}::timestamptz at time zone 'UTC')::date - n as day
      from generate_series(0, ${days - 1}::int) as n
    ), kept as (
      select (hour at time zone 'UTC')::date as day, views, watch_time_s from video_stats_hourly
      where video_id = ${videoId} and hour >= ${now}::timestamptz - make_interval(days => ${days})
      union all
      select (day at time zone 'UTC')::date, views, watch_time_s from video_stats_daily
      where video_id = ${videoId} and day >= ${now}::timestamptz - make_interval(days => ${days})
    )
    select to_char(days.day, 'YYYY-MM-DD') as date,
      coalesce(sum(kept.views), 0)::float8 as plays,
      coalesce(sum(kept.watch_time_s), 0)::float8 as "watchTimeS"
    from days left join kept using (day) group by days.day order by days.day`.execute(db);
  return rows;
}

/** Sample size. The latest plays are representative, and an index finds them. */
const latestPlays = 2000;

const latestOf = (videoId: string, since = sql`'-infinity'`) => sql`
  select watch_time_s, completed, origin from watches
  where video_id = ${videoId} and engaged and counted_at > ${since}
    -- Redundant, but lets PostgreSQL use the index and skip partitions.
    and updated_at > ${since}
  order by updated_at desc limit ${latestPlays}`;

/**
 * Returns the origins of the latest engaged plays. Leaves out origins that newer releases added.
 */
export async function readOrigins(
  db: DbOrTrx,
  videoId: string,
): Promise<VideoStatistics["origins"]> {
  const { rows } = await sql<VideoStatistics["origins"][number]>`
    select origin, count(*)::int as plays from (${latestOf(videoId)}) latest
    where origin = any(${[...playOrigins]}::text[]) group by origin order by plays desc, origin`.execute(
    db,
  );
  return rows;
}

/**
 * Returns how far the latest engaged plays went, by watch time; null for an unknown video. Leaves out
 * plays from before the last cut.
 */
export async function readRetention(
  db: DbOrTrx,
  videoId: string,
): Promise<Pick<VideoStatistics, "retention" | "retentionPlays"> | null> {
  const since = sql`coalesce(
    (select timing_since from videos where id = ${videoId}), '-infinity')`;
  const { rows } = await sql<{ share: number; plays: number }>`
    with latest as materialized (${latestOf(videoId, since)})
    select count(l.watch_time_s)::int as plays, coalesce(avg((
        l.completed or l.watch_time_s >= v.duration_s * n / 10.0
      )::int), 0)::float8 as share
    from videos v cross join generate_series(0, 10) as n left join latest l on true
    where v.id = ${videoId} group by n order by n`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  return { retentionPlays: first.plays, retention: rows.map(({ share }) => share) };
}

export async function findDuration(db: DbOrTrx, videoId: string): Promise<number | null> {
  const row = await db
    .selectFrom("videos")
    .select("duration_s")
    .where("id", "=", videoId)
    .executeTakeFirst();
  return row?.duration_s ?? null;
}
