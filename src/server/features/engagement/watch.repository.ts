import { sql } from "kysely";
import type { Trx } from "../../db/connection.ts";
import { addTrend } from "./trend.repository.ts";

/** What is stored of a visitor's plays of one video. */
export interface WatchRow {
  visitor_id: string;
  video_id: string;
  counted_at: Date | number;
  engaged: boolean;
  completed: boolean;
  watch_time_s: number;
  /** With every digit, as it finds the row again. */
  version: string;
}

interface WatchKey {
  visitorId: string;
  videoId: string;
}

export interface WatchChange extends WatchKey {
  /** Of the stored row; null for the first play. */
  version: string | null;
  /** A new view: what was stored of the one before is replaced. */
  isView: boolean;
  isEngaged: boolean;
  isCompleted: boolean;
  addedWatchS: number;
}

/** What a batch of reports adds to one video. */
export interface AddedTotals {
  views: number;
  engaged: number;
  completed: number;
  watchS: number;
  /** log2 of the decayed engagement; `-Infinity` for none. */
  score: number;
}

/** Durations of the listed videos among these, their rows locked in the order of their ids. */
export async function lockVideos(
  trx: Trx,
  videoIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("videos")
    .select(["id", "duration_s"])
    .where("id", "=", sql<string>`any(${videoIds}::uuid[])`)
    .where("is_listed", "=", true)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row.duration_s]));
}

/**
 * The rows of these visitors and videos. The videos are locked, and every transaction that writes such
 * a row locks its video first: so none writes one meanwhile.
 */
export async function readWatches(trx: Trx, keys: readonly WatchKey[]): Promise<WatchRow[]> {
  const { rows } = await sql<WatchRow>`
    select w.*, w.updated_at::text as version from watches w
    join unnest(
      ${keys.map((key) => key.visitorId)}::uuid[], ${keys.map((key) => key.videoId)}::uuid[]
    ) as given (visitor_id, video_id) using (visitor_id, video_id)`.execute(trx);
  return rows;
}

export async function writeWatches(
  trx: Trx,
  changes: readonly WatchChange[],
  now: Date,
): Promise<void> {
  const effective = changes.filter(
    ({ isView, isEngaged, isCompleted, addedWatchS }) =>
      isView || isEngaged || isCompleted || addedWatchS > 0,
  );
  const added = effective.filter((change) => change.version === null);
  const changed = effective.filter((change) => change.version !== null);
  if (added.length > 0) {
    await sql`
      insert into watches
        (visitor_id, video_id, counted_at, engaged, completed, watch_time_s, updated_at)
      select visitor_id, video_id, ${now}, is_engaged, is_completed, added, ${now}
      from ${given(added)} order by 1, 2`.execute(trx);
  }
  if (changed.length > 0) {
    // The time of the last change finds the partition. It may be another one from now on.
    await sql`
      update watches w set
        counted_at = case when g.is_view then ${now} else w.counted_at end,
        engaged = w.engaged or g.is_engaged,
        completed = case when g.is_view then g.is_completed else w.completed or g.is_completed end,
        watch_time_s = case when g.is_view then g.added else w.watch_time_s + g.added end,
        updated_at = ${now}
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
    ${changes.map((change) => change.addedWatchS)}::float8[]
  ) as g (visitor_id, video_id, version, is_view, is_engaged, is_completed, added)`;

/** Adds to the totals of the videos, and to the hour of `now` of the videos and of the site. */
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
      ${entries.map(([, t]) => t.watchS)}::float8[],
      ${entries.map(([, t]) => String(t.score))}::float8[]
    ) as g (video_id, views, engaged, completed, watch_s, score)`;
  await sql`
    update videos set
      views = videos.views + g.views,
      engaged = videos.engaged + g.engaged,
      completed = videos.completed + g.completed,
      watch_time_s = videos.watch_time_s + g.watch_s,
      trend = ${addTrend(sql<number>`g.score`)}
    from ${given} where videos.id = g.video_id`.execute(trx);
  await sql`
    insert into video_stats_hourly as s (video_id, hour, views, engaged, completed, watch_time_s)
    select video_id, date_trunc('hour', ${now}::timestamptz, 'UTC'), views, engaged, completed, watch_s
    from ${given}
    on conflict (video_id, hour) do update set
      views = s.views + excluded.views,
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
