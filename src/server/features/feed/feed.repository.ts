import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { rewardScale } from "#server/features/engagement/rewards.ts";
import { isMembersOnly } from "#server/features/videos/members-only.sql.ts";
import { newcomer, type Candidate } from "./ranking.ts";

/** Number of candidates from each list. Smaller catalogues are ranked as a whole. */
const poolMax = { trending: 600, newest: 400, rated: 300, newcomers: 1000 };

/** Candidate with the data that explains its rank. */
export interface FeedCandidate extends Candidate {
  viewsToday: number;
  /** Tags, actors and categories. */
  labelIds: readonly string[];
  /** True if only members may play the video. */
  isMembersOnly: boolean;
}

/** Leaves out videos that only members may play. */
const forViewer = (isMember: boolean) => (isMember ? sql`true` : sql`not ${isMembersOnly}`);

/** Returns listed videos that can be played as a single file. */
export async function listCandidates(db: DbOrTrx, now: Date): Promise<FeedCandidate[]> {
  const { rows } = await sql<{
    id: string;
    publishedAt: Date;
    durationS: number;
    views: number;
    viewsToday: number;
    rewardSum: number;
    rewardCount: number;
    isMembersOnly: boolean;
    actorIds: string | null;
    otherIds: string | null;
  }>`
    with listed as (
      (select id from videos where is_listed
        order by trend desc, id desc limit ${poolMax.trending})
      union (select id from videos where is_listed
        order by published_at desc, id desc limit ${poolMax.newest})
      union (select id from videos where is_listed
        order by rating desc, id desc limit ${poolMax.rated})
      union (select id from videos
        where is_listed and published_at > ${new Date(now.getTime() - newcomer.maxAgeMs)}
          and views - imported_views < ${newcomer.playsBelow}
        order by published_at, id limit ${poolMax.newcomers})
    )
    select v.id, v.published_at as "publishedAt", v.duration_s as "durationS",
      v.views - v.imported_views as views,
      v.reward_sum as "rewardSum", v.reward_count as "rewardCount", s.views_today as "viewsToday",
      ${isMembersOnly} as "isMembersOnly",
      (select string_agg(a.actor_id::text, ',') from video_actors a where a.video_id = v.id) as "actorIds",
      (select string_agg(l.id::text, ',') from (
        select tag_id as id from video_tags where video_id = v.id
        union all select category_id from video_categories where video_id = v.id
      ) l) as "otherIds"
    from listed join videos v using (id) join video_range_scores s on s.video_id = v.id
    where v.progressive_key is not null`.execute(db);
  const scale = rewardScale(now.getTime());
  return rows.map(({ publishedAt, views, actorIds, otherIds, rewardSum, rewardCount, ...row }) => {
    const actors = idsOf(actorIds);
    return {
      ...row,
      publishedAtMs: publishedAt.getTime(),
      impressions: views,
      rewardSum: rewardSum / scale,
      rewardCount: rewardCount / scale,
      actorIds: actors,
      labelIds: [...actors, ...idsOf(otherIds)],
    };
  });
}

const idsOf = (list: string | null): string[] => list?.split(",") ?? [];

/** Returns the videos that this visitor saw before the session, most recent first. */
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

/** Returns unseen videos that aren't among the ranked ones, by trend. */
export async function listRestIds(
  db: DbOrTrx,
  options: {
    excludedIds: readonly string[];
    visitorId: string | null;
    before: Date;
    after: { trend: number; id: string } | null;
    limit: number;
    isMember: boolean;
  },
): Promise<{ id: string; trend: number; viewsToday: number; views: number }[]> {
  const { excludedIds, visitorId, before, after, limit, isMember } = options;
  const { rows } = await sql<{ id: string; trend: string; viewsToday: number; views: number }>`
    select v.id, v.trend::text as trend, v.views, s.views_today as "viewsToday"
    from videos v join video_range_scores s on s.video_id = v.id
    where v.is_listed and v.progressive_key is not null and ${forViewer(isMember)}
      and v.id <> all(${[...excludedIds]}::uuid[])
      ${after === null ? sql`` : sql`and (v.trend, v.id) < (${String(after.trend)}::float8, ${after.id}::uuid)`}
      ${
        visitorId === null
          ? sql``
          : sql`and not exists (select from watches w where w.visitor_id = ${visitorId}
              and w.video_id = v.id and w.counted_at < ${before})`
      }
    order by v.trend desc, v.id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, trend: Number(row.trend) }));
}

/** Returns the videos that the visitor saw before the session, oldest play first. */
export async function listSeenAgainIds(
  db: DbOrTrx,
  options: {
    excludedIds: readonly string[];
    visitorId: string;
    before: Date;
    after: { atMs: number; id: string } | null;
    limit: number;
    isMember: boolean;
  },
): Promise<{ id: string; atMs: number }[]> {
  const { excludedIds, visitorId, before, after, limit, isMember } = options;
  // Cursors contain milliseconds, so the query compares milliseconds.
  const at = sql`(extract(epoch from date_trunc('milliseconds', w.counted_at)) * 1000)::float8`;
  const { rows } = await sql<{ id: string; atMs: number }>`
    select v.id, ${at} as "atMs"
    from watches w join videos v on v.id = w.video_id
    where w.visitor_id = ${visitorId} and w.counted_at < ${before}
      and v.is_listed and v.progressive_key is not null and ${forViewer(isMember)}
      and v.id <> all(${[...excludedIds]}::uuid[])
      ${after === null ? sql`` : sql`and (${at}, v.id) > (${after.atMs}::float8, ${after.id}::uuid)`}
    order by ${at}, v.id limit ${limit}`.execute(db);
  return rows;
}

/** Returns videos that only members may play, by trend. */
export async function listLockedIds(
  db: DbOrTrx,
  page: { offset: number; limit: number; excludedIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id from videos v
    where v.is_listed and ${isMembersOnly} and v.id <> all(${[...page.excludedIds]}::uuid[])
    order by v.trend desc, v.id desc offset ${page.offset} limit ${page.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the actors of these videos. */
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

/** Returns which of these videos the visitor liked and which they saved. */
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
