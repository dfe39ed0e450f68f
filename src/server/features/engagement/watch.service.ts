import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { mayBeOfOneRow, type Db, type Trx } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import {
  addScores,
  engagedAfterS,
  engagementPoints,
  eventScore,
  possibleWatchS,
  viewWindowMs,
} from "./engagement.ts";
import { reward, rewardSumsOf } from "./rewards.ts";
import { createViewCap, type ViewCap } from "./view-cap.ts";
import * as repository from "./watch.repository.ts";

interface WatchReport {
  visitorId: string;
  videoId: string;
  /** Seconds actually watched since the load. */
  watchTimeS: number;
  isCompleted: boolean;
  origin?: PlayOrigin | undefined;
  /** Identifies the address without revealing it; see `createViewCap`. */
  addressKey: string;
}

/** Visitor's first video, whose play counts in full now that they have played a second one. */
interface Promotion {
  visitorId: string;
  videoId: string;
}

type Item = WatchReport | Promotion;

const isReport = (item: Item): item is WatchReport => "addressKey" in item;

export interface WatchService {
  /**
   * Counts a report durably. Returns whether it counted a new view, or null if the video isn't
   * listed.
   */
  report(report: WatchReport): Promise<boolean | null>;
  drain(): Promise<void>;
}

/** Maximum number of repeats in one play. Longer watch times are cut. */
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

  const commit = createGroupCommit<Item, boolean | null>({
    keyOf: (item) => `${item.visitorId} ${item.videoId}`,
    mayBeOfOne: mayBeOfOneRow,
    maxBatch: 2000,
    write: async (items) => {
      const { areViews, promotions } = await db.transaction().execute(async (trx) => {
        const written = await writeBatch(trx, items, clock.date(), cap);
        const viewers = items
          .filter((_item, at) => written.areViews[at] === true)
          .map((item) => item.visitorId);
        if (viewers.length > 0) await onViews?.(trx, viewers);
        return written;
      });
      // Runs in a separate batch, which locks its videos in order. A lost promotion keeps a tenth
      // of the weight.
      for (const promotion of promotions) commit.submit(promotion).catch(() => undefined);
      return areViews;
    },
  });

  return { report: (report) => commit.submit(report), drain: () => commit.drain() };
}

/** @returns per item whether it counted a new view; null if the video isn't listed. */
async function writeBatch(
  trx: Trx,
  all: Item[],
  now: Date,
  cap: ViewCap,
): Promise<{ areViews: (boolean | null)[]; promotions: Promotion[] }> {
  const videoIds = [...new Set(all.map((item) => item.videoId))];
  const durations = await repository.lockVideos(trx, videoIds);
  const items = all.filter((item) => durations.has(item.videoId));
  if (items.length === 0) return { areViews: all.map(() => null), promotions: [] };
  const plays = await repository.readPlays(trx, items);
  const playByKey = new Map(plays.map((play) => [`${play.visitorId} ${play.videoId}`, play]));
  const videosOfVisitor = Map.groupBy(items, (item) => item.visitorId);

  const changes = new Map<Item, repository.WatchChange>();
  const promotions: Promotion[] = [];
  for (const item of items) {
    const { visitorId, videoId } = item;
    const play = playByKey.get(`${visitorId} ${videoId}`);
    if (play === undefined) continue;
    const durationS = durations.get(videoId) ?? 0;
    const hasOthers = play.otherId !== null || (videosOfVisitor.get(visitorId)?.length ?? 0) > 1;
    changes.set(
      item,
      isReport(item)
        ? judge(item, { ...play, hasOthers }, durationS, now, cap)
        : promote(play, durationS),
    );
    const { otherId, otherWeight } = play;
    if (otherId !== null && otherWeight === reward.singleVideoWeight) {
      promotions.push({ visitorId, videoId: otherId });
    }
  }
  const list = [...changes.values()];
  await repository.writeWatches(trx, list, now);
  await repository.addToTotals(trx, sumByVideo(list, now), now);
  return { areViews: all.map((item) => changes.get(item)?.isView ?? null), promotions };
}

const noChange = {
  isView: false,
  origin: null,
  isEngaged: false,
  isCompleted: false,
  addedWatchS: 0,
};

/** Converts a stored play to the input of `rewardSumsOf`. */
function rewardedPlay({ watch, likedAt }: repository.KnownPlay, weight: number) {
  return {
    weight,
    countedAtMs: Number(watch?.counted_at ?? 0),
    watchTimeS: watch?.watch_time_s ?? 0,
    isCompleted: watch?.completed ?? false,
    likedAtMs: likedAt === null ? null : Number(likedAt),
  };
}

function promote(play: repository.KnownPlay, durationS: number): repository.WatchChange {
  const { visitorId, videoId, version, watch } = play;
  const before = watch?.reward_weight ?? 0;
  const weight = before > 0 ? 1 : 0;
  const old = rewardSumsOf(rewardedPlay(play, before), durationS);
  const latest = rewardSumsOf(rewardedPlay(play, weight), durationS);
  return {
    visitorId,
    videoId,
    version,
    ...noChange,
    weight,
    hasNewWeight: watch !== null && weight !== before,
    added: { sum: latest.sum - old.sum, count: latest.count - old.count },
  };
}

function judge(
  report: WatchReport,
  play: repository.KnownPlay & { hasOthers: boolean },
  durationS: number,
  now: Date,
  cap: ViewCap,
): repository.WatchChange {
  const { visitorId, videoId } = report;
  const { watch, version } = play;
  const key = { visitorId, videoId, version };
  const before = watch?.reward_weight ?? 0;
  const countedAtMs = watch === null ? -Infinity : Number(watch.counted_at);
  const isView = now.getTime() - countedAtMs >= viewWindowMs;
  if (isView && !cap.take(report.addressKey, videoId)) {
    return {
      ...key,
      ...noChange,
      weight: before,
      hasNewWeight: false,
      added: { sum: 0, count: 0 },
    };
  }
  const possibleS = possibleWatchS(watch === null ? 0 : (now.getTime() - countedAtMs) / 1000);
  const claimedS = report.isCompleted ? Math.max(durationS, report.watchTimeS) : report.watchTimeS;
  const isPossible = claimedS <= possibleS;
  const isCompleted = report.isCompleted && isPossible;
  const watchedS = Math.min(report.watchTimeS, possibleS, Math.max(durationS, 1) * maxLoops);
  const beforeS = isView ? 0 : (watch?.watch_time_s ?? 0);
  const addedWatchS = Math.max(0, watchedS - beforeS);
  const isLongEnough = watchedS >= engagedAfterS(durationS) && watchedS > 0;

  const usual = before > 0 ? before : play.hasOthers ? 1 : reward.singleVideoWeight;
  // An implausible play stays implausible until the next view.
  const weight = isPossible && (isView || before > 0) ? usual : 0;
  const old = rewardSumsOf(rewardedPlay(play, before), durationS);
  const latest = rewardSumsOf(
    {
      ...rewardedPlay(play, weight),
      countedAtMs: isView ? now.getTime() : countedAtMs,
      watchTimeS: beforeS + addedWatchS,
      isCompleted: isCompleted || (!isView && watch?.completed === true),
    },
    durationS,
  );
  return {
    ...key,
    isView,
    origin: report.origin ?? null,
    isEngaged: (isLongEnough || isCompleted) && watch?.engaged !== true,
    isCompleted: isCompleted && (isView || watch?.completed !== true),
    addedWatchS,
    weight,
    hasNewWeight: weight !== before,
    added: { sum: latest.sum - old.sum, count: latest.count - old.count },
  };
}

function sumByVideo(
  changes: readonly repository.WatchChange[],
  now: Date,
): Map<string, repository.AddedTotals> {
  const byVideo = new Map<string, repository.AddedTotals>();
  for (const change of changes) {
    const { videoId, isView, isEngaged, isCompleted, addedWatchS, hasNewWeight } = change;
    if (!isView && !isEngaged && !isCompleted && addedWatchS === 0 && !hasNewWeight) continue;
    const totals = byVideo.get(videoId) ?? {
      views: 0,
      engaged: 0,
      completed: 0,
      watchS: 0,
      score: -Infinity,
      rewards: { sum: 0, count: 0 },
    };
    const added = { views: isView ? 1 : 0, completed: isCompleted ? 1 : 0, likes: 0 };
    const points = engagementPoints(added);
    if (points > 0) totals.score = addScores(totals.score, eventScore(points, now.getTime()));
    totals.views += added.views;
    totals.engaged += isEngaged ? 1 : 0;
    totals.completed += added.completed;
    totals.watchS += addedWatchS;
    totals.rewards.sum += change.added.sum;
    totals.rewards.count += change.added.count;
    byVideo.set(videoId, totals);
  }
  return byVideo;
}
