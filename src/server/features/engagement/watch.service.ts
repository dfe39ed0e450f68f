import { sql } from "kysely";
import type { Db, Trx } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import { createGroupCommit } from "../../lib/group-commit.ts";
import {
  addScores,
  addTrend,
  engagedAfterS,
  engagementWeight,
  eventScore,
  viewWindowMs,
} from "./engagement.ts";
import { createViewCap, type ViewCap } from "./view-cap.ts";

export interface WatchReport {
  visitorId: string;
  videoId: string;
  /** Seconds really watched since the load. */
  watchTimeS: number;
  isCompleted: boolean;
  /** Names the address without revealing it; see `createViewCap`. */
  addressKey: string;
}

export interface WatchService {
  /** Counts a report durably; true where it counted a new view. */
  report(report: WatchReport): Promise<boolean>;
  drain(): Promise<void>;
}

/** What one report changes, once the rows it meets are known. */
interface Outcome {
  report: WatchReport;
  isView: boolean;
  isEngaged: boolean;
  isCompleted: boolean;
  addedWatchS: number;
}

/** Nobody watches a clip more often than this in one go; a longer claim is cut. */
const mostLoops = 10;

interface KnownWatch {
  visitor_id: string;
  video_id: string;
  counted_at: Date | number;
  engaged: boolean;
  completed: boolean;
  watch_time_s: number;
}

/** @param deps.onViews hears of new views in the transaction that counts them. */
export function createWatchService(deps: {
  db: Db;
  clock: Clock;
  onViews?: (trx: Trx, visitorIds: string[]) => Promise<void>;
}): WatchService {
  const { db, clock, onViews } = deps;
  const cap = createViewCap(clock);

  const commit = createGroupCommit<WatchReport, boolean>({
    keyOf: (report) => `${report.visitorId} ${report.videoId}`,
    write: (reports) =>
      db.transaction().execute(async (trx) => {
        const answers = await writeBatch(trx, reports, clock.date(), cap);
        const viewers = reports.filter((_report, at) => answers[at]).map((r) => r.visitorId);
        if (viewers.length > 0) await onViews?.(trx, viewers);
        return answers;
      }),
  });

  return { report: (report) => commit.submit(report), drain: () => commit.drain() };
}

async function writeBatch(
  trx: Trx,
  all: WatchReport[],
  now: Date,
  cap: ViewCap,
): Promise<boolean[]> {
  // Fixed order of locks: rows of watches by their key, then videos by id.
  const durations = await lockVideos(trx, all);
  const reports = all.filter((report) => durations.has(report.videoId));
  if (reports.length === 0) return all.map(() => false);
  const known = await lockWatches(trx, reports);

  const outcomes = new Map<WatchReport, Outcome>();
  for (const report of reports) {
    const row = known.get(`${report.visitorId} ${report.videoId}`);
    const durationS = durations.get(report.videoId) ?? 0;
    outcomes.set(report, judge(report, row, durationS, now, cap));
  }
  const list = [...outcomes.values()];
  await saveWatches(trx, list, now);
  await addToTotals(trx, list, now);
  return all.map((report) => outcomes.get(report)?.isView ?? false);
}

function judge(
  report: WatchReport,
  row: KnownWatch | undefined,
  durationS: number,
  now: Date,
  cap: ViewCap,
): Outcome {
  const countedAt = row === undefined ? -Infinity : Number(row.counted_at);
  const isView = now.getTime() - countedAt >= viewWindowMs;
  if (isView && !cap.take(report.addressKey, report.videoId)) {
    return { report, isView: false, isEngaged: false, isCompleted: false, addedWatchS: 0 };
  }
  const watchedS = Math.min(report.watchTimeS, Math.max(durationS, 1) * mostLoops);
  const beforeS = isView ? 0 : (row?.watch_time_s ?? 0);
  const isLongEnough = watchedS >= engagedAfterS(durationS) && watchedS > 0;
  return {
    report,
    isView,
    isEngaged: (isLongEnough || report.isCompleted) && row?.engaged !== true,
    isCompleted: report.isCompleted && (isView || row?.completed !== true),
    addedWatchS: Math.max(0, watchedS - beforeS),
  };
}

/** Durations of the listed videos among these, their rows locked in the order of their ids. */
async function lockVideos(trx: Trx, reports: WatchReport[]): Promise<Map<string, number>> {
  const ids = [...new Set(reports.map((report) => report.videoId))];
  const rows = await trx
    .selectFrom("videos")
    .select(["id", "duration_s"])
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .where("is_listed", "=", true)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row.duration_s]));
}

async function lockWatches(trx: Trx, reports: WatchReport[]): Promise<Map<string, KnownWatch>> {
  const visitors = reports.map((report) => report.visitorId);
  const videos = reports.map((report) => report.videoId);
  // A row for everybody first, so that two processes cannot both find none and count twice.
  await sql`
    insert into watches (visitor_id, video_id, counted_at)
    select visitor_id, video_id, '-infinity'
    from unnest(${visitors}::uuid[], ${videos}::uuid[]) as given (visitor_id, video_id)
    order by 1, 2
    on conflict do nothing`.execute(trx);
  await sql`
    insert into visitors (id) select distinct unnest(${visitors}::uuid[]) order by 1
    on conflict do nothing`.execute(trx);
  const { rows } = await sql<KnownWatch>`
    select w.* from watches w
    join unnest(${visitors}::uuid[], ${videos}::uuid[]) as given (visitor_id, video_id)
      using (visitor_id, video_id)
    order by w.visitor_id, w.video_id for update of w`.execute(trx);
  return new Map(rows.map((row) => [`${row.visitor_id} ${row.video_id}`, row]));
}

async function saveWatches(trx: Trx, outcomes: Outcome[], now: Date): Promise<void> {
  await sql`
    update watches w set
      counted_at = case when g.is_view then ${now} else w.counted_at end,
      engaged = w.engaged or g.is_engaged,
      completed = case when g.is_view then g.is_completed else w.completed or g.is_completed end,
      watch_time_s = case when g.is_view then g.added else w.watch_time_s + g.added end,
      updated_at = ${now}
    from unnest(
      ${outcomes.map((o) => o.report.visitorId)}::uuid[],
      ${outcomes.map((o) => o.report.videoId)}::uuid[],
      ${outcomes.map((o) => o.isView)}::boolean[],
      ${outcomes.map((o) => o.isEngaged)}::boolean[],
      ${outcomes.map((o) => o.isCompleted)}::boolean[],
      ${outcomes.map((o) => o.addedWatchS)}::float8[]
    ) as g (visitor_id, video_id, is_view, is_engaged, is_completed, added)
    where w.visitor_id = g.visitor_id and w.video_id = g.video_id`.execute(trx);
}

interface Totals {
  views: number;
  engaged: number;
  completed: number;
  watchS: number;
  score: number;
}

async function addToTotals(trx: Trx, outcomes: Outcome[], now: Date): Promise<void> {
  const byVideo = new Map<string, Totals>();
  for (const { report, isView, isEngaged, isCompleted, addedWatchS } of outcomes) {
    if (!isView && !isEngaged && !isCompleted && addedWatchS === 0) continue;
    const totals = byVideo.get(report.videoId) ?? {
      views: 0,
      engaged: 0,
      completed: 0,
      watchS: 0,
      score: -Infinity,
    };
    const weight =
      (isView ? engagementWeight.view : 0) + (isCompleted ? engagementWeight.completed : 0);
    if (weight > 0) totals.score = addScores(totals.score, eventScore(weight, now.getTime()));
    totals.views += isView ? 1 : 0;
    totals.engaged += isEngaged ? 1 : 0;
    totals.completed += isCompleted ? 1 : 0;
    totals.watchS += addedWatchS;
    byVideo.set(report.videoId, totals);
  }
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
