import { sql } from "kysely";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import type { Trx } from "#server/db/connection.ts";
import type { AddedBins, PlayBins } from "./watched-bins.ts";
import { reward, rewardScale, type RewardSums } from "./rewards.ts";
import { addTrend } from "./trend.repository.ts";

/** Stored data of a visitor's plays of one video. */
interface WatchRow {
  visitor_id: string;
  video_id: string;
  counted_at: Date | number;
  engaged: boolean;
  completed: boolean;
  watch_time_s: number;
  reward_weight: number;
  visitor_weight: number;
  bins: Buffer | null;
  bins_since: Date | null;
}

/** Returns the stored bins of a play, or null if it doesn't count in curves. */
export const playBinsOf = (
  { bins, bins_since: since }: WatchRow,
  { timingSince }: LockedVideo,
): PlayBins | null =>
  bins === null || since === null || since <= (timingSince ?? 0)
    ? null
    : { digits: bins.toString("hex"), since };

/** Another video that the visitor has played. */
interface OtherPlay {
  videoId: string;
  isEngaged: boolean;
  /** Visitor's weight in that play. */
  weight: number;
}

/** Stored data that is needed before a report counts. */
export interface KnownPlay extends WatchKey {
  watch: WatchRow | null;
  /** Version of `watch` with all digits, to find the row again. */
  version: string | null;
  likedAt: Date | null;
  isLikeRanked: boolean | null;
  /** The visitor's latest other plays. Empty if the visitor already counts in full in this play. */
  others: OtherPlay[];
}

interface WatchKey {
  visitorId: string;
  videoId: string;
}

export interface WatchChange extends WatchKey {
  /** Version of the stored row; null for the first play. */
  version: string | null;
  /** True for a new view, which replaces the stored one. */
  isView: boolean;
  /** True for the visitor's first view of the video on this day. */
  isFirstToday: boolean;
  /** Origin of the view; stored only for a new one. */
  origin: PlayOrigin | null;
  isEngaged: boolean;
  isCompleted: boolean;
  /** Whether the view and the completion count in Trending. */
  isViewRanked: boolean;
  isCompletionRanked: boolean;
  addedWatchS: number;
  /** Weight of the play in rankings from now on, and how that changes the sums of its video. */
  weight: number;
  /** Visitor's factor of that weight. */
  visitorWeight: number;
  hasNewWeight: boolean;
  added: RewardSums;
  /** Bins of the play from now on. */
  bins: PlayBins | null;
  /** What they add to the curves; null for nothing. */
  addedBins: AddedBins | null;
}

/** Changes to one video by a batch of reports. */
export interface AddedTotals {
  views: number;
  engaged: number;
  completed: number;
  /** Views and completions that count in Trending. */
  rankedViews: number;
  rankedCompleted: number;
  watchS: number;
  /** log2 of the decayed engagement; `-Infinity` for none. */
  score: number;
  rewards: RewardSums;
}

export interface LockedVideo {
  durationS: number;
  publishedAt: Date | null;
  /** Time of the last cut. Parts that played earlier don't fit the curves. */
  timingSince: Date | null;
  weighedHour: Date | null;
  hourWeight: number;
}

/** Returns which of these videos visitors can reach. Locks their rows in the order of their ids. */
export async function lockVideos(
  trx: Trx,
  videoIds: readonly string[],
): Promise<Map<string, LockedVideo>> {
  const rows = await trx
    .selectFrom("videos")
    .select([
      "id",
      "duration_s as durationS",
      "published_at as publishedAt",
      "timing_since as timingSince",
      "weighed_hour as weighedHour",
      "hour_weight as hourWeight",
    ])
    .where("id", "=", sql<string>`any(${videoIds}::uuid[])`)
    .where("is_reachable", "=", true)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the views of the whole site per hour, over the last 24 hours. */
export async function readSiteRate(trx: Trx, now: Date): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select coalesce(sum(views), 0)::float8 / 24 as rate from site_stats_hourly
    where hour > ${now}::timestamptz - interval '24 hours'`.execute(trx);
  return rows[0]?.rate ?? 0;
}

export async function writeHourWeights(
  trx: Trx,
  weights: ReadonlyMap<string, number>,
  hour: Date,
): Promise<void> {
  await sql`
    update videos set weighed_hour = ${hour}, hour_weight = g.weight
    from unnest(${[...weights.keys()]}::uuid[], ${[...weights.values()]}::float8[]) as g (id, weight)
    where videos.id = g.id`.execute(trx);
}

/** Enough to tell whether a visitor really watches videos. */
const otherPlaysMax = 30;

/**
 * Returns the stored plays of these visitors and videos. They can't change, because the videos are
 * locked and every transaction locks a video before it writes its plays.
 */
export async function readPlays(trx: Trx, keys: readonly WatchKey[]): Promise<KnownPlay[]> {
  const { rows } = await sql<
    Omit<KnownPlay, "watch" | "others"> & WatchRow & { others: OtherPlay[] | null }
  >`
    select given.visitor_id as "visitorId", given.video_id as "videoId", w.*,
      w.updated_at::text as version, l.created_at as "likedAt", l.is_ranked as "isLikeRanked",
      o.others
    from unnest(
      ${keys.map((key) => key.visitorId)}::uuid[], ${keys.map((key) => key.videoId)}::uuid[]
    ) as given (visitor_id, video_id)
    left join watches w on w.visitor_id = given.visitor_id and w.video_id = given.video_id
    left join likes l on l.video_id = given.video_id and l.visitor_id = given.visitor_id
    left join lateral (
      select json_agg(json_build_object(
        'videoId', o.video_id, 'isEngaged', o.engaged, 'weight', o.visitor_weight)) as others
      from (
        select o.video_id, o.engaged, o.visitor_weight from watches o
        where (coalesce(w.reward_weight, 0) = 0 or w.visitor_weight < 1)
          and o.visitor_id = given.visitor_id and o.video_id <> given.video_id
          and o.reward_weight > 0
        order by o.updated_at desc limit ${sql.lit(otherPlaysMax)}
      ) o
    ) o on true`.execute(trx);
  return rows.map(({ visitorId, videoId, version, likedAt, isLikeRanked, others, ...watch }) => ({
    visitorId,
    videoId,
    version,
    likedAt,
    isLikeRanked,
    others: others ?? [],
    watch: version === null ? null : watch,
  }));
}

export async function writeWatches(
  trx: Trx,
  changes: readonly WatchChange[],
  now: Date,
): Promise<void> {
  const effective = changes.filter(
    ({ isView, isEngaged, isCompleted, addedWatchS, hasNewWeight, addedBins }) =>
      isView || isEngaged || isCompleted || addedWatchS > 0 || hasNewWeight || addedBins !== null,
  );
  const added = effective.filter((change) => change.version === null);
  const changed = effective.filter((change) => change.version !== null);
  if (added.length > 0) {
    await sql`
      insert into watches
        (visitor_id, video_id, counted_at, engaged, completed, watch_time_s, updated_at, reward_weight,
          visitor_weight, origin, bins, bins_since)
      select visitor_id, video_id, ${now}, is_engaged, is_completed, added, ${now}, weight,
        visitor_weight, origin, decode(bins, 'hex'), bins_since
      from ${given(added)} order by 1, 2`.execute(trx);
  }
  if (changed.length > 0) {
    // The time of the last change identifies the partition. After this update, that may be a
    // different one.
    await sql`
      update watches w set
        counted_at = case when g.is_view then ${now} else w.counted_at end,
        origin = case when g.is_view then g.origin else w.origin end,
        engaged = w.engaged or g.is_engaged,
        completed = case when g.is_view then g.is_completed else w.completed or g.is_completed end,
        watch_time_s = case when g.is_view then g.added else w.watch_time_s + g.added end,
        reward_weight = g.weight,
        visitor_weight = g.visitor_weight,
        bins = decode(g.bins, 'hex'),
        bins_since = g.bins_since,
        updated_at = case when g.is_view or g.is_engaged or g.is_completed or g.added > 0
          then ${now} else w.updated_at end
      from ${given(changed)}
      where w.visitor_id = g.visitor_id and w.video_id = g.video_id
        and w.updated_at = g.version::timestamptz`.execute(trx);
  }
}

const given = (changes: readonly WatchChange[]) => sql`unnest(
    ${changes.map((change) => change.visitorId)}::uuid[],
    ${changes.map((change) => change.videoId)}::uuid[],
    ${changes.map((change) => change.version)}::text[],
    ${changes.map((change) => change.isView)}::boolean[],
    ${changes.map((change) => change.isEngaged)}::boolean[],
    ${changes.map((change) => change.isCompleted)}::boolean[],
    ${changes.map((change) => change.addedWatchS)}::float8[],
    ${changes.map((change) => change.weight)}::real[],
    ${changes.map((change) => change.visitorWeight)}::real[],
    ${changes.map((change) => change.origin)}::text[],
    ${changes.map((change) => change.bins?.digits ?? null)}::text[],
    ${changes.map((change) => change.bins?.since ?? null)}::timestamptz[]
  ) as g (visitor_id, video_id, version, is_view, is_engaged, is_completed, added, weight,
    visitor_weight, origin, bins, bins_since)`;

/** Adds to the videos' totals, and to the current hour of the videos and the site. */
export async function addToTotals(
  trx: Trx,
  byVideo: ReadonlyMap<string, AddedTotals>,
  now: Date,
): Promise<void> {
  if (byVideo.size === 0) return;
  const entries = [...byVideo].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const given = sql`unnest(
      ${entries.map(([id]) => id)}::uuid[],
      ${entries.map(([, t]) => t.views)}::bigint[],
      ${entries.map(([, t]) => t.engaged)}::bigint[],
      ${entries.map(([, t]) => t.completed)}::bigint[],
      ${entries.map(([, t]) => t.views - t.rankedViews)}::bigint[],
      ${entries.map(([, t]) => t.rankedCompleted)}::bigint[],
      ${entries.map(([, t]) => t.watchS)}::float8[],
      ${entries.map(([, t]) => String(t.score))}::float8[],
      ${entries.map(([, t]) => t.rewards.sum)}::float8[],
      ${entries.map(([, t]) => t.rewards.count)}::float8[]
    ) as g (video_id, views, engaged, completed, unranked_views, ranked_completed, watch_s, score, reward_sum, reward_count)`;
  // Same formulas as `addRewards`.
  const maxCount = sql`${reward.playsMax * rewardScale(now.getTime())}::float8`;
  const count = sql`greatest(0, videos.reward_count + g.reward_count)`;
  await sql`
    update videos set
      views = videos.views + g.views,
      engaged = videos.engaged + g.engaged,
      completed = videos.completed + g.completed,
      watch_time_s = videos.watch_time_s + g.watch_s,
      trend = ${addTrend(sql<number>`g.score`)},
      reward_sum = greatest(0, videos.reward_sum + g.reward_sum)
        * least(1, ${maxCount} / nullif(${count}, 0)),
      reward_count = least(${count}, ${maxCount})
    from ${given} where videos.id = g.video_id`.execute(trx);
  await sql`
    insert into video_stats_hourly as s
      (video_id, hour, views, unranked_views, engaged, completed, watch_time_s)
    select video_id, date_trunc('hour', ${now}::timestamptz, 'UTC'), views, unranked_views, engaged,
      ranked_completed, watch_s
    from ${given}
    on conflict (video_id, hour) do update set
      views = s.views + excluded.views,
      unranked_views = s.unranked_views + excluded.unranked_views,
      engaged = s.engaged + excluded.engaged,
      completed = s.completed + excluded.completed,
      watch_time_s = s.watch_time_s + excluded.watch_time_s`.execute(trx);
  await sql`
    insert into site_stats_hourly as s (hour, views, completed, watch_time_s)
    select date_trunc('hour', ${now}::timestamptz, 'UTC'), sum(views), sum(completed), sum(watch_s)
    from ${given}
    on conflict (hour) do update set
      views = s.views + excluded.views,
      completed = s.completed + excluded.completed,
      watch_time_s = s.watch_time_s + excluded.watch_time_s`.execute(trx);
}
