import { mayBeOfOneRow, type Db, type Trx } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import { createGroupCommit } from "../../lib/group-commit.ts";
import {
  addScores,
  engagedAfterS,
  engagementPoints,
  eventScore,
  viewWindowMs,
} from "./engagement.ts";
import { createViewCap, type ViewCap } from "./view-cap.ts";
import * as repository from "./watch.repository.ts";

interface WatchReport {
  visitorId: string;
  videoId: string;
  /** Seconds really watched since the load. */
  watchTimeS: number;
  isCompleted: boolean;
  /** Identifies the address without revealing it; see `createViewCap`. */
  addressKey: string;
}

export interface WatchService {
  /** Counts a report durably; true where it counted a new view, null where the video is not listed. */
  report(report: WatchReport): Promise<boolean | null>;
  drain(): Promise<void>;
}

/** A longer claim of watch time is cut: no visitor plays a clip more often than this in one go. */
const maxLoops = 10;

/** @param deps.onViews is called with new views in the transaction that counts them. */
export function createWatchService(deps: {
  db: Db;
  clock: Clock;
  onViews?: (trx: Trx, visitorIds: string[]) => Promise<void>;
  webProcesses?: number;
}): WatchService {
  const { db, clock, onViews, webProcesses } = deps;
  const cap = createViewCap(clock, webProcesses);

  const commit = createGroupCommit<WatchReport, boolean | null>({
    keyOf: (report) => `${report.visitorId} ${report.videoId}`,
    mayBeOfOne: mayBeOfOneRow,
    maxBatch: 2000,
    write: (reports) =>
      db.transaction().execute(async (trx) => {
        const areViews = await writeBatch(trx, reports, clock.date(), cap);
        const viewers = reports
          .filter((_report, at) => areViews[at] === true)
          .map((r) => r.visitorId);
        if (viewers.length > 0) await onViews?.(trx, viewers);
        return areViews;
      }),
  });

  return { report: (report) => commit.submit(report), drain: () => commit.drain() };
}

/** @returns for each report whether it counted a new view; null where the video is not listed. */
async function writeBatch(
  trx: Trx,
  all: WatchReport[],
  now: Date,
  cap: ViewCap,
): Promise<(boolean | null)[]> {
  const videoIds = [...new Set(all.map((report) => report.videoId))];
  const durations = await repository.lockVideos(trx, videoIds);
  const reports = all.filter((report) => durations.has(report.videoId));
  if (reports.length === 0) return all.map(() => null);
  const rows = await repository.readWatches(trx, reports);
  const rowByKey = new Map(rows.map((row) => [`${row.visitor_id} ${row.video_id}`, row]));

  const changes = new Map<WatchReport, repository.WatchChange>();
  for (const report of reports) {
    const row = rowByKey.get(`${report.visitorId} ${report.videoId}`);
    const durationS = durations.get(report.videoId) ?? 0;
    changes.set(report, judge(report, row, durationS, now, cap));
  }
  const list = [...changes.values()];
  await repository.writeWatches(trx, list, now);
  await repository.addToTotals(trx, sumByVideo(list, now), now);
  return all.map((report) => changes.get(report)?.isView ?? null);
}

function judge(
  report: WatchReport,
  row: repository.WatchRow | undefined,
  durationS: number,
  now: Date,
  cap: ViewCap,
): repository.WatchChange {
  const { visitorId, videoId } = report;
  const key = { visitorId, videoId, version: row?.version ?? null };
  const countedAt = row === undefined ? -Infinity : Number(row.counted_at);
  const isView = now.getTime() - countedAt >= viewWindowMs;
  if (isView && !cap.take(report.addressKey, videoId)) {
    const nothing = { isView: false, isEngaged: false, isCompleted: false, addedWatchS: 0 };
    return { ...key, ...nothing };
  }
  const watchedS = Math.min(report.watchTimeS, Math.max(durationS, 1) * maxLoops);
  const beforeS = isView ? 0 : (row?.watch_time_s ?? 0);
  const isLongEnough = watchedS >= engagedAfterS(durationS) && watchedS > 0;
  return {
    ...key,
    isView,
    isEngaged: (isLongEnough || report.isCompleted) && row?.engaged !== true,
    isCompleted: report.isCompleted && (isView || row?.completed !== true),
    addedWatchS: Math.max(0, watchedS - beforeS),
  };
}

function sumByVideo(
  changes: readonly repository.WatchChange[],
  now: Date,
): Map<string, repository.AddedTotals> {
  const byVideo = new Map<string, repository.AddedTotals>();
  for (const { videoId, isView, isEngaged, isCompleted, addedWatchS } of changes) {
    if (!isView && !isEngaged && !isCompleted && addedWatchS === 0) continue;
    const totals = byVideo.get(videoId) ?? {
      views: 0,
      engaged: 0,
      completed: 0,
      watchS: 0,
      score: -Infinity,
    };
    const added = { views: isView ? 1 : 0, completed: isCompleted ? 1 : 0, likes: 0 };
    const points = engagementPoints(added);
    if (points > 0) totals.score = addScores(totals.score, eventScore(points, now.getTime()));
    totals.views += added.views;
    totals.engaged += isEngaged ? 1 : 0;
    totals.completed += added.completed;
    totals.watchS += addedWatchS;
    byVideo.set(videoId, totals);
  }
  return byVideo;
}
