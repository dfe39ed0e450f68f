import type { PlayDevice, PlayOrigin } from "#contract/videos/play-origins.ts";
import { isRowError, type Db, type Trx } from "#server/db/connection.ts";
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
import { readAddressCounts } from "./address-counts.repository.ts";
import { rankEarlierLikes } from "./likes.service.ts";
import { addressWeight, isRankedInGroup, playRules, visitorWeight } from "./play-weight.ts";
import { playRewardSums } from "./rewards.ts";
import { createViewCap, type ViewCap } from "./view-cap.ts";
import { addBins, claimBins, noBins, type AddedBins, type PlayBins } from "./watched-bins.ts";
import {
  writeBins,
  writeClipViewers,
  writeSources,
  type Arrival,
  type PlaySource,
} from "./watched-bins.repository.ts";
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
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  /** What curves and counts use; absent for a visitor who opted out. */
  audience?:
    | {
        /** See `watchedBinsPattern`. */
        bins: string;
        country: string | null;
        device: PlayDevice | null;
        isRobot?: boolean;
      }
    | undefined;
}

/** The visitor's weight has grown since this play, so the play's weight grows, too. */
interface Promotion {
  visitorId: string;
  videoId: string;
}

type Item = WatchReport | Promotion;

const isReport = (item: Item): item is WatchReport => "addressKey" in item;

const hourMs = 3_600_000;

/** Longer watch times are cut. Nobody repeats a clip more often in one session. */
const maxLoops = 10;

/** @param deps.onViews is called with new views in the transaction that counts them. */
export function createWatchService(deps: {
  db: Db;
  clock: Clock;
  onViews?: (trx: Trx, visitorIds: string[]) => Promise<void>;
  webProcesses?: number;
}) {
  const { db, clock, onViews, webProcesses } = deps;
  const cap = createViewCap(clock, webProcesses);

  const commit = createGroupCommit<Item, boolean | null>({
    keyOf: (item) => `${item.visitorId} ${item.videoId}`,
    isItemError: isRowError,
    maxBatch: 2000,
    write: async (items) => {
      const { countedViews, promotions } = await db.transaction().execute(async (trx) => {
        const written = await writeBatch(trx, items, clock.date(), cap);
        const viewers = items
          .filter((_item, at) => written.countedViews[at] === true)
          .map((item) => item.visitorId);
        if (viewers.length > 0) await onViews?.(trx, viewers);
        return written;
      });
      // Written in a separate batch, because it locks the videos in order. If it is lost, the
      // visitor's next report repeats it.
      for (const promotion of promotions) commit.submit(promotion).catch(() => undefined);
      return countedViews;
    },
  });

  return {
    /**
     * Counts a report durably. Returns whether it counted a new view, or null if the video
     * isn't listed.
     */
    report: (report: WatchReport): Promise<boolean | null> => commit.submit(report),
    drain: (): Promise<void> => commit.drain(),
  };
}

export type WatchService = ReturnType<typeof createWatchService>;

/** @returns for each item whether it counted a new view; null if the video isn't listed. */
async function writeBatch(
  trx: Trx,
  all: Item[],
  now: Date,
  cap: ViewCap,
): Promise<{ countedViews: (boolean | null)[]; promotions: Promotion[] }> {
  const videoIds = [...new Set(all.map((item) => item.videoId))];
  const videos = await repository.lockVideos(trx, videoIds);
  const items = all.filter((item) => videos.has(item.videoId));
  if (items.length === 0) return { countedViews: all.map(() => null), promotions: [] };
  const plays = await repository.readPlays(trx, items);
  const playByKey = new Map(plays.map((play) => [`${play.visitorId} ${play.videoId}`, play]));
  const isNew = (report: WatchReport) =>
    isNewView(report, playByKey.get(`${report.visitorId} ${report.videoId}`)?.watch ?? null, now);
  const places = await readPlaces(trx, items.filter(isReport), isNew, videos, now);

  const changes = new Map<Item, repository.WatchChange>();
  const promotions: Promotion[] = [];
  const likes: Parameters<typeof rankEarlierLikes>[1][number][] = [];
  for (const item of items) {
    const play = playByKey.get(`${item.visitorId} ${item.videoId}`);
    const video = videos.get(item.videoId);
    if (play === undefined || video === undefined) continue;
    const change = isReport(item)
      ? judge(item, play, video, now, cap, places)
      : promote(play, video);
    changes.set(item, change);
    const least = change.visitorWeight - minGain;
    for (const { videoId, weight } of play.others) {
      if (weight < least) promotions.push({ visitorId: item.visitorId, videoId });
    }
    const { likedAt, isLikeRanked } = play;
    if (isReport(item) && change.isEngaged && likedAt !== null && isLikeRanked === false) {
      likes.push({ ...item, at: new Date(likedAt) });
    }
  }
  const list = [...changes.values()];
  await repository.writeWatches(trx, list, now);
  await repository.addToTotals(trx, sumByVideo(list, now), now);
  await places.write();
  await writeBins(trx, sumBins(list), now);
  await writeSources(trx, listSources(items, changes), now);
  await writeClipViewers(trx, listArrivals(items, changes), now);
  if (likes.length > 0) await rankEarlierLikes(trx, likes, now);
  return { countedViews: all.map((item) => changes.get(item)?.isView ?? null), promotions };
}

/** Smaller gains are rounding errors of `real`. */
const minGain = 0.001;

async function readPlaces(
  trx: Trx,
  reports: readonly WatchReport[],
  isNew: (report: WatchReport) => boolean,
  videos: ReadonlyMap<string, repository.LockedVideo>,
  now: Date,
) {
  const newViews = reports.filter(isNew);
  const views = await readAddressCounts(trx, "plays", newViews);
  const completions = await readAddressCounts(
    trx,
    "completions",
    reports.filter(({ isCompleted }) => isCompleted),
  );
  const siteViewsPerHour = newViews.length === 0 ? 0 : await repository.readSiteRate(trx, now);
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const weights = new Map<string, number>();
  return {
    /** Takes a position for a view. @returns it, among those of its address group today. */
    takeView: (report: WatchReport): number => views.take(report),
    /** Takes a position for a completion. @returns it, among those of its address group today. */
    takeCompletion: (report: WatchReport): number => completions.take(report),
    /** Returns the weight of the address in a visitor's first view, and adds it to the hour's. */
    weigh({ videoId }: WatchReport, inGroup: number): number {
      const video = videos.get(videoId);
      const isSameHour = video?.weighedHour?.getTime() === hour.getTime();
      const hourWeight = weights.get(videoId) ?? (isSameHour ? video.hourWeight : 0);
      const ageMs = now.getTime() - (video?.publishedAt?.getTime() ?? 0);
      const isNewVideo = ageMs < playRules.newVideoMs;
      const weight = addressWeight({ inGroup, hourWeight, siteViewsPerHour, isNewVideo });
      weights.set(videoId, hourWeight + weight);
      return weight;
    },
    async write(): Promise<void> {
      await views.write(now);
      await completions.write(now);
      if (weights.size > 0) await repository.writeHourWeights(trx, weights, hour);
    },
  };
}

type Places = Awaited<ReturnType<typeof readPlaces>>;

/** Age from which reports no longer continue a play. */
const playMaxMs = 24 * hourMs;

/**
 * Returns whether a report begins a view. A report with watch time can come from a page that has been
 * open for longer than `viewWindowMs`, so it continues the stored play, unless it claims less.
 */
function isNewView(
  { watchTimeS, isCompleted }: WatchReport,
  watch: repository.KnownPlay["watch"],
  now: Date,
): boolean {
  if (watch === null) return true;
  const ageMs = now.getTime() - Number(watch.counted_at);
  // The tolerance covers rounding. At the end, the player claims the duration, which is less if
  // parts were repeated.
  const claimsLess = !isCompleted && (watchTimeS === 0 || watchTimeS < watch.watch_time_s - 1);
  return ageMs >= viewWindowMs && (claimsLess || ageMs >= playMaxMs);
}

const noChange = {
  isView: false,
  isFirstToday: false,
  origin: null,
  isEngaged: false,
  isCompleted: false,
  isViewRanked: false,
  isCompletionRanked: false,
  addedWatchS: 0,
  bins: null,
  addedBins: null,
};

/** Returns the number of a day in UTC. */
const dayOf = (atMs: number): number => Math.floor(atMs / (24 * hourMs));

/** Converts a stored play to the input of `playRewardSums`. */
function rewardedPlay({ watch, likedAt }: repository.KnownPlay, weight: number) {
  return {
    weight,
    countedAtMs: Number(watch?.counted_at ?? 0),
    watchTimeS: watch?.watch_time_s ?? 0,
    isCompleted: watch?.completed ?? false,
    likedAtMs: likedAt === null ? null : Number(likedAt),
  };
}

/** Returns the visitor's weight in a play. */
const visitorWeightOf = ({ others }: repository.KnownPlay, isEngaged: boolean): number =>
  visitorWeight(others.filter((other) => other.isEngaged).length + (isEngaged ? 1 : 0));

function promote(
  play: repository.KnownPlay,
  video: repository.LockedVideo,
): repository.WatchChange {
  const { visitorId, videoId, version, watch } = play;
  const before = watch?.reward_weight ?? 0;
  const visitorBefore = watch?.visitor_weight ?? 1;
  const latestVisitor = visitorWeightOf(play, watch?.engaged === true);
  const ofVisitor = Math.max(visitorBefore, latestVisitor);
  const weight = (before / visitorBefore) * ofVisitor;
  const old = playRewardSums(rewardedPlay(play, before), video.durationS);
  const latest = playRewardSums(rewardedPlay(play, weight), video.durationS);
  return {
    visitorId,
    videoId,
    version,
    ...noChange,
    bins: watch === null ? null : repository.playBinsOf(watch, video),
    weight,
    visitorWeight: ofVisitor,
    hasNewWeight: watch !== null && ofVisitor - visitorBefore > minGain,
    added: { sum: latest.sum - old.sum, count: latest.count - old.count },
  };
}

function judge(
  report: WatchReport,
  play: repository.KnownPlay,
  video: repository.LockedVideo,
  now: Date,
  cap: ViewCap,
  places: Places,
): repository.WatchChange {
  const { visitorId, videoId } = report;
  const { durationS } = video;
  const { watch, version } = play;
  const key = { visitorId, videoId, version };
  const before = watch?.reward_weight ?? 0;
  const countedAtMs = watch === null ? -Infinity : Number(watch.counted_at);
  const isView = isNewView(report, watch, now);
  if (isView && !cap.take(report.addressKey, videoId)) {
    return {
      ...key,
      ...noChange,
      weight: before,
      visitorWeight: watch?.visitor_weight ?? 0,
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

  const isEngaged = isLongEnough || isCompleted;
  const visitorBefore = before > 0 ? (watch?.visitor_weight ?? 1) : 0;
  const ofVisitor = Math.max(
    visitorBefore,
    visitorWeightOf(play, isEngaged || watch?.engaged === true),
  );
  // An implausible play doesn't count until the next view.
  const counts = isPossible && (isView || before > 0);
  const inGroup = isView ? places.takeView(report) : 0;
  const ofAddress =
    before > 0 ? before / visitorBefore : counts ? places.weigh(report, inGroup) : 0;
  const isNewCompletion = isCompleted && (isView || watch?.completed !== true);
  const weight = counts ? ofAddress * ofVisitor : 0;
  const old = playRewardSums(rewardedPlay(play, before), durationS);
  const latest = playRewardSums(
    {
      ...rewardedPlay(play, weight),
      countedAtMs: isView ? now.getTime() : countedAtMs,
      watchTimeS: beforeS + addedWatchS,
      isCompleted: isCompleted || (!isView && watch?.completed === true),
    },
    durationS,
  );
  const isViewRanked = isView && isRankedInGroup(inGroup);
  return {
    ...key,
    ...judgeBins(report, watch, { isView, counts: isViewRanked && isPossible, video, now }),
    isView,
    isFirstToday: isView && dayOf(countedAtMs) !== dayOf(now.getTime()),
    origin: report.origin ?? null,
    isEngaged: isEngaged && watch?.engaged !== true,
    isCompleted: isNewCompletion,
    isViewRanked,
    isCompletionRanked: isNewCompletion && isRankedInGroup(places.takeCompletion(report)),
    addedWatchS,
    weight,
    visitorWeight: ofVisitor,
    hasNewWeight: Math.abs(weight - before) > minGain * before,
    added: { sum: latest.sum - old.sum, count: latest.count - old.count },
  };
}

/**
 * Returns the new state of a play's bins, and what they add to curves. A play counts in curves if its
 * view counts in Trending.
 */
function judgeBins(
  { audience }: WatchReport,
  watch: repository.KnownPlay["watch"],
  play: { isView: boolean; counts: boolean; video: repository.LockedVideo; now: Date },
): { bins: PlayBins | null; addedBins: AddedBins | null } {
  const former = watch === null ? null : repository.playBinsOf(watch, play.video);
  const fresh = play.counts ? { digits: "", since: play.now } : null;
  const known = play.isView ? fresh : former;
  if (known === null || audience === undefined) return { bins: known, addedBins: null };
  const claim = claimBins(known, audience.bins, {
    durationS: play.video.durationS,
    now: play.now,
  });
  if (claim === null) return { bins: known, addedBins: null };
  return { bins: { ...known, digits: claim.digits }, addedBins: claim.added };
}

function sumBins(changes: readonly repository.WatchChange[]): Map<string, AddedBins> {
  const byVideo = new Map<string, AddedBins>();
  for (const { videoId, addedBins } of changes) {
    if (addedBins === null) continue;
    const sum = byVideo.get(videoId) ?? noBins();
    addBins(sum, addedBins);
    byVideo.set(videoId, sum);
  }
  return byVideo;
}

/** Returns the sources of new views that count in Trending. */
function listSources(
  items: readonly Item[],
  changes: ReadonlyMap<Item, repository.WatchChange>,
): PlaySource[] {
  return items.flatMap((item): PlaySource[] => {
    if (!isReport(item) || item.audience === undefined) return [];
    if (changes.get(item)?.isViewRanked !== true) return [];
    const { videoId, origin } = item;
    const { country, device } = item.audience;
    const names = [
      { kind: "origin", name: origin },
      { kind: "country", name: country },
      { kind: "device", name: device },
    ] as const;
    return names.flatMap(({ kind, name }) =>
      name === undefined || name === null ? [] : [{ videoId, kind, name }],
    );
  });
}

/**
 * Returns the plays that a clip may have led to: counted views that came from the feed or a video
 * page, and are the visitor's first of this video today.
 */
function listArrivals(
  items: readonly Item[],
  changes: ReadonlyMap<Item, repository.WatchChange>,
): Arrival[] {
  return items.flatMap((item): Arrival[] => {
    if (!isReport(item) || item.audience === undefined || item.audience.isRobot === true) return [];
    const { visitorId, videoId, origin } = item;
    const change = changes.get(item);
    if (change?.isViewRanked !== true || !change.isFirstToday) return [];
    return origin === "feed" || origin === "related" ? [{ visitorId, videoId }] : [];
  });
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
      rankedViews: 0,
      rankedCompleted: 0,
      watchS: 0,
      score: -Infinity,
      rewards: { sum: 0, count: 0 },
    };
    const ranked = {
      views: change.isViewRanked ? 1 : 0,
      completed: change.isCompletionRanked ? 1 : 0,
      likes: 0,
    };
    const points = engagementPoints(ranked);
    if (points > 0) totals.score = addScores(totals.score, eventScore(points, now.getTime()));
    totals.views += isView ? 1 : 0;
    totals.rankedViews += ranked.views;
    totals.engaged += isEngaged ? 1 : 0;
    totals.completed += isCompleted ? 1 : 0;
    totals.rankedCompleted += ranked.completed;
    totals.watchS += addedWatchS;
    totals.rewards.sum += change.added.sum;
    totals.rewards.count += change.added.count;
    byVideo.set(videoId, totals);
  }
  return byVideo;
}
