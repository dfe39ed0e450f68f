import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { addTrend, subtractTrend } from "./trend.repository.ts";

export interface LikeKey {
  videoId: string;
  visitorId: string;
}

/** Like that was given at this time, or withdrawn like that had been given at this time. */
export interface LikeChange extends LikeKey {
  isGiven: boolean;
  at: Date;
  /** True if it counts in rankings. */
  isRanked: boolean;
}

/** Changes to one video by a batch of likes. */
export interface LikeTotals {
  likes: number;
  /** Number of likes that don't count in rankings. */
  unranked: number;
  /** log2 of the decayed engagement; `-Infinity` for none. */
  addedScore: number;
  takenScore: number;
  /** Change to the video's rewards, in forward decay. */
  reward: number;
}

/**
 * @param visitorId null for a visitor without a cookie.
 * @throws AppError not_found.
 */
export async function readLikeStatus(
  db: DbOrTrx,
  videoId: string,
  visitorId: string | null,
): Promise<{ likes: number; isLiked: boolean }> {
  const { rows } = await sql<{ likes: number; isLiked: boolean }>`
    select likes, exists (
      select from likes l where l.video_id = ${videoId} and l.visitor_id = ${visitorId}
    ) as "isLiked"
    from videos where id = ${videoId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new AppError("not_found", "Video not found");
  return row;
}

/** Returns which of these videos visitors can see. Locks their rows in the order of their ids. */
export async function lockLikedVideos(
  trx: Trx,
  videoIds: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await trx
    .selectFrom("videos")
    .select(["id", "is_reachable"])
    .where("id", "=", sql<string>`any(${videoIds}::uuid[])`)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row.is_reachable]));
}

/** Adds missing likes and removes existing ones. The videos are locked. */
export async function toggleLikes(
  trx: Trx,
  keys: readonly LikeKey[],
  now: Date,
): Promise<LikeChange[]> {
  const added = await changeLikes(
    trx,
    keys,
    (rows) => sql`
      insert into likes (video_id, visitor_id, created_at)
      select video_id, visitor_id, ${now} from ${rows} on conflict do nothing`,
  );
  const isGiven = new Set(added.map(keyOf));
  const existing = keys.filter((key) => !isGiven.has(keyOf(key)));
  const removed = await changeLikes(
    trx,
    existing,
    (rows) => sql`
      delete from likes using ${rows}
      where likes.video_id = g.video_id and likes.visitor_id = g.visitor_id`,
  );
  return [
    ...added.map((row) => ({ ...row, isGiven: true })),
    ...removed.map((row) => ({ ...row, isGiven: false })),
  ];
}

export const keyOf = ({ videoId, visitorId }: LikeKey): string => `${videoId} ${visitorId}`;

async function changeLikes(
  trx: Trx,
  keys: readonly LikeKey[],
  change: (rows: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<Omit<LikeChange, "isGiven">[]> {
  if (keys.length === 0) return [];
  const rows = sql`unnest(
      ${keys.map((key) => key.videoId)}::uuid[], ${keys.map((key) => key.visitorId)}::uuid[]
    ) as g (video_id, visitor_id)`;
  const changed = await sql<Omit<LikeChange, "isGiven">>`${change(rows)}
    returning likes.video_id as "videoId", likes.visitor_id as "visitorId", likes.created_at as at,
      likes.is_ranked as "isRanked"`.execute(trx);
  return changed.rows;
}

/** The play of a video by the visitor who likes it. */
interface LikedPlay {
  /** How much it counts in rankings. */
  weight: number;
  isEngaged: boolean;
}

/** Returns the plays of these visitors and videos, by `keyOf`, and locks the videos. */
export async function readLikedPlays(
  trx: Trx,
  keys: readonly LikeKey[],
): Promise<Map<string, LikedPlay>> {
  const { rows } = await sql<LikeKey & LikedPlay>`
    select w.video_id as "videoId", w.visitor_id as "visitorId", w.reward_weight as weight,
      w.engaged as "isEngaged"
    from watches w join unnest(
      ${keys.map((key) => key.videoId)}::uuid[], ${keys.map((key) => key.visitorId)}::uuid[]
    ) as given (video_id, visitor_id) using (visitor_id, video_id)`.execute(trx);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Stores whether these likes count in rankings. */
export async function setRanked(
  trx: Trx,
  keys: readonly LikeKey[],
  isRanked: boolean,
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update likes set is_ranked = ${isRanked} from unnest(
      ${keys.map((key) => key.videoId)}::uuid[], ${keys.map((key) => key.visitorId)}::uuid[]
    ) as g (video_id, visitor_id)
    where likes.video_id = g.video_id and likes.visitor_id = g.visitor_id`.execute(trx);
}

/** Counts likes in the totals of their videos. */
export async function addLikeTotals(
  trx: Trx,
  byVideo: ReadonlyMap<string, LikeTotals>,
): Promise<{ id: string; likes: number; trend: number }[]> {
  if (byVideo.size === 0) return [];
  const entries = [...byVideo];
  const { rows } = await sql<{ id: string; likes: number; trend: number }>`
    update videos v set
      likes = v.likes + g.likes,
      unranked_likes = v.unranked_likes + g.unranked,
      reward_sum = greatest(0, v.reward_sum + g.reward),
      trend = (
        select ${subtractTrend(sql`g.taken`)} from (select ${addTrend(sql`g.added`)} as trend) sum
      )
    from unnest(
      ${entries.map(([id]) => id)}::uuid[],
      ${entries.map(([, totals]) => totals.likes)}::bigint[],
      ${entries.map(([, totals]) => totals.unranked)}::bigint[],
      ${entries.map(([, totals]) => String(totals.addedScore))}::float8[],
      ${entries.map(([, totals]) => String(totals.takenScore))}::float8[],
      ${entries.map(([, totals]) => totals.reward)}::float8[]
    ) as g (video_id, likes, unranked, added, taken, reward)
    where v.id = g.video_id
    returning v.id, v.likes, v.trend`.execute(trx);
  return rows;
}

const byHour = (changes: readonly LikeChange[]) => sql`unnest(
    ${changes.map((change) => change.videoId)}::uuid[],
    ${changes.map((change) => change.at)}::timestamptz[],
    ${changes.map((change) => (change.isGiven ? 1 : -1))}::bigint[]
  ) as g (video_id, at, likes)`;

/**
 * Counts likes that count in rankings, in the hours in which they were given. That way, the hours
 * of a video always add up to its ranked likes.
 */
export async function countRankedLikes(trx: Trx, changes: readonly LikeChange[]): Promise<void> {
  const ranked = changes.filter(({ isRanked }) => isRanked);
  if (ranked.length === 0) return;
  await sql`
    insert into video_stats_hourly as s (video_id, hour, likes)
    select video_id, date_trunc('hour', at, 'UTC'), sum(likes) from ${byHour(ranked)}
    group by 1, 2 order by 1, 2
    on conflict (video_id, hour) do update set likes = s.likes + excluded.likes`.execute(trx);
}

/** Counts likes in the hours of the whole site, which are shown. */
export async function countSiteLikes(trx: Trx, changes: readonly LikeChange[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into site_stats_hourly as s (hour, likes)
    select date_trunc('hour', at, 'UTC'), sum(likes) from ${byHour(changes)} group by 1 order by 1
    on conflict (hour) do update set likes = s.likes + excluded.likes`.execute(trx);
}
