import { sql } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";
import { estimateRows } from "../../db/partitions.ts";
import { prepared } from "../../db/prepared-statements.ts";
import { bucketEndsS, reward, type BucketMeans, type Candidate } from "./ranking.ts";

/** So many of each list are candidates; a smaller catalogue is ranked whole. */
const poolMax = { trending: 600, newest: 400, rated: 300 };
/** How many plays rewards are computed from: enough for the order, and bounded in time. */
const sampleRows = 50_000;

export interface Rewards {
  byVideo: Map<string, { sum: number; count: number }>;
  means: BucketMeans;
}

/** Listed videos that can be played as one file, without rewards. */
export async function listCandidates(db: DbOrTrx): Promise<Candidate[]> {
  const { rows } = await sql<{
    id: string;
    publishedAt: Date;
    durationS: number;
    views: number;
    actorIds: string[] | null;
  }>`
    with listed as (
      (select id from videos where is_listed
        order by trend desc, id desc limit ${poolMax.trending})
      union (select id from videos where is_listed
        order by published_at desc, id desc limit ${poolMax.newest})
      union (select id from videos where is_listed
        order by rating desc, id desc limit ${poolMax.rated})
    )
    select v.id, v.published_at as "publishedAt", v.duration_s as "durationS", v.views,
      (select array_agg(a.actor_id::text) from video_actors a where a.video_id = v.id) as "actorIds"
    from listed join videos v using (id)
    where v.progressive_key is not null`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    publishedAtMs: row.publishedAt.getTime(),
    durationS: row.durationS,
    impressions: row.views,
    rewardSum: 0,
    rewardCount: 0,
    actorIds: row.actorIds ?? [],
  }));
}

/**
 * Rewards of these videos, and the means of all, from a sample of plays (see `reward`): the watched fraction as a percentile within its
 * duration bucket, since raw watch time favours long clips; 0 for a skipped play; a bonus for a like;
 * at most 1. Both sums decay with the half-life.
 */
export async function listRewards(
  db: DbOrTrx,
  now: Date,
  videoIds: readonly string[],
): Promise<Rewards> {
  const since = new Date(now.getTime() - reward.windowDays * 86_400_000);
  // Unknown (never analysed) means small or new: read all of it.
  const known = await estimateRows(db, "watches", since);
  const share = Math.min(100, (100 * sampleRows) / Math.max(1, known));
  const { rows } = await sql<{
    /** Null in the row of a whole bucket. */
    videoId: string | null;
    bucket: number;
    sum: number;
    count: number;
  }>`
    with watched as (
      select w.video_id, w.visitor_id, w.watch_time_s, w.completed, w.updated_at,
        width_bucket(v.duration_s, ${sql.lit(`{${bucketEndsS.join(",")}}`)}::float8[]) as bucket,
        least(1, case when w.completed then 1 else w.watch_time_s / nullif(v.duration_s, 0) end) as fraction
      from watches w ${share < 100 ? sql`tablesample system (${sql.lit(share)})` : sql``}
      join videos v on v.id = w.video_id
      where w.updated_at > ${since}
    ), ranked as (
      -- Equal fractions share the middle of their ranks: many plays reach the very end.
      select *, (percent_rank() over same_length + cume_dist() over same_length) / 2 as percentile
      from watched window same_length as (partition by bucket order by fraction)
    ), rewarded as (
      select p.video_id, p.bucket,
        least(1, case when p.watch_time_s < ${sql.lit(reward.skippedBelowS)} and not p.completed then 0 else p.percentile end
          + case when l.video_id is null then 0 else ${sql.lit(reward.likeBonus)} end) as reward,
        power(2, -greatest(0, extract(epoch from ${now}::timestamptz - p.updated_at))
          / ${sql.lit(reward.halfLifeDays * 86_400)}) as weight
      from ranked p
      left join likes l on l.video_id = p.video_id and l.visitor_id = p.visitor_id
    )
    select video_id as "videoId", bucket, sum(reward * weight)::float8 as sum, sum(weight)::float8 as count
    from rewarded group by grouping sets ((video_id, bucket), (bucket))
    having grouping(video_id) = 1 or video_id = any(${[...videoIds]}::uuid[])`.execute(db);

  const byVideo = new Map<string, { sum: number; count: number }>();
  const totals = Array.from({ length: bucketEndsS.length + 1 }, () => ({ sum: 0, count: 0 }));
  for (const { videoId, bucket, sum, count } of rows) {
    if (videoId === null) totals[bucket] = { sum, count };
    else byVideo.set(videoId, { sum, count });
  }
  return {
    byVideo,
    // Two plays with a reward of 1/2 each keep the mean of a small bucket away from 0 and 1.
    means: totals.map(({ sum, count }) => (sum + 1) / (count + 2)),
  };
}

/** Videos that this visitor had seen before the session began, the latest first. */
export async function listSeenIds(
  db: DbOrTrx,
  visitorId: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("watches")
    .select("video_id")
    .where("visitor_id", "=", visitorId)
    .where("counted_at", "<", before)
    .orderBy("updated_at", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.video_id);
}

/** Unseen videos beyond the ranked ones, by trend. */
export async function listRestIds(
  db: DbOrTrx,
  options: {
    excludedIds: readonly string[];
    visitorId: string | null;
    before: Date;
    after: { trend: number; id: string } | null;
    limit: number;
  },
): Promise<{ id: string; trend: number }[]> {
  const { excludedIds, visitorId, before, after, limit } = options;
  const { rows } = await sql<{ id: string; trend: string }>`
    select v.id, v.trend::text as trend from videos v
    where v.is_listed and v.progressive_key is not null
      and v.id <> all(${[...excludedIds]}::uuid[])
      ${after === null ? sql`` : sql`and (v.trend, v.id) < (${String(after.trend)}::float8, ${after.id}::uuid)`}
      ${
        visitorId === null
          ? sql``
          : sql`and not exists (select from watches w where w.visitor_id = ${visitorId}
              and w.video_id = v.id and w.counted_at < ${before})`
      }
    order by v.trend desc, v.id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({ id: row.id, trend: Number(row.trend) }));
}

/** Videos that the visitor had seen before the session, the oldest play first. */
export async function listSeenAgainIds(
  db: DbOrTrx,
  options: {
    excludedIds: readonly string[];
    visitorId: string;
    before: Date;
    after: { atMs: number; id: string } | null;
    limit: number;
  },
): Promise<{ id: string; atMs: number }[]> {
  const { excludedIds, visitorId, before, after, limit } = options;
  // A cursor holds milliseconds, so compare milliseconds.
  const at = sql`(extract(epoch from date_trunc('milliseconds', w.counted_at)) * 1000)::float8`;
  const { rows } = await sql<{ id: string; atMs: number }>`
    select v.id, ${at} as "atMs"
    from watches w join videos v on v.id = w.video_id
    where w.visitor_id = ${visitorId} and w.counted_at < ${before}
      and v.is_listed and v.progressive_key is not null
      and v.id <> all(${[...excludedIds]}::uuid[])
      ${after === null ? sql`` : sql`and (${at}, v.id) > (${after.atMs}::float8, ${after.id}::uuid)`}
    order by ${at}, v.id limit ${limit}`.execute(db);
  return rows;
}

/** Actors of these videos. */
export async function listActorIds(
  db: DbOrTrx,
  videoIds: readonly string[],
): Promise<Map<string, string[]>> {
  const map = new Map<string, string[]>(videoIds.map((id) => [id, []]));
  if (videoIds.length === 0) return map;
  const { rows } = await sql<{ videoId: string; actorId: string }>`${prepared}
    select video_id as "videoId", actor_id as "actorId" from video_actors
    where video_id = any(${[...videoIds]}::uuid[])`.execute(db);
  for (const { videoId, actorId } of rows) map.get(videoId)?.push(actorId);
  return map;
}

/** Which of these videos the visitor liked, and which they saved. */
export async function listMarks(
  db: DbOrTrx,
  visitorId: string | null,
  videoIds: readonly string[],
): Promise<{ likedIds: Set<string>; favoriteIds: Set<string> }> {
  const likedIds = new Set<string>();
  const favoriteIds = new Set<string>();
  if (visitorId === null || videoIds.length === 0) return { likedIds, favoriteIds };
  const { rows } = await sql<{ id: string; isLike: boolean }>`${prepared}
    select video_id as id, true as "isLike" from likes
      where visitor_id = ${visitorId} and video_id = any(${[...videoIds]}::uuid[])
    union all select video_id, false from favorites
      where visitor_id = ${visitorId} and video_id = any(${[...videoIds]}::uuid[])`.execute(db);
  for (const { id, isLike } of rows) (isLike ? likedIds : favoriteIds).add(id);
  return { likedIds, favoriteIds };
}
