import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import { viewerOf } from "#server/http/access/policy.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { limits } from "#contract/limits.ts";
import { pageQuery } from "#contract/lists/paging.ts";
import { replayPeakResponse } from "#contract/videos/replay-peak.ts";
import { videoList, videoParams } from "#contract/videos/videos.ts";
import { binCount, minCurvePlays } from "#contract/videos/watched-bins.ts";
import type { Feature, App } from "#server/http/app.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { registerEngagementRoutes } from "./engagement.routes.ts";
import { createLikesService } from "./likes.service.ts";
import { createWatchService, type WatchService } from "./watch.service.ts";
import { listFavoriteIds } from "./favorites.repository.ts";
import { findReplayPeak } from "./watched-bins.ts";
import { foldBins, readReplays } from "./watched-bins.repository.ts";
import { addHistoryPartitions, dropHistory, foldHours } from "./history.repository.ts";

/**
 * Creates the next partitions, folds old hours into days, and drops expired data. Runs once an
 * hour.
 */
export function createHistoryUpkeepJob(deps: {
  db: Db;
  clock: Clock;
  /** Number of months to retain single plays and days. */
  historyMonths: number;
}): AnyJobDefinition {
  const { db, clock, historyMonths } = deps;
  return defineJob({
    name: "history.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "11 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      const now = clock.date();
      await addHistoryPartitions(db, now);
      await foldHours(db, signal);
      const before = new Date(now);
      before.setUTCMonth(now.getUTCMonth() - historyMonths);
      await dropHistory(db, before);
      await foldBins(db, before);
    },
  });
}

/** Route of the most replayed part, which the player marks if the settings say so. */
function registerReplayRoute(
  app: App,
  { db, videos, settings }: { db: Db; videos: VideosService; settings: SettingsService },
): void {
  app.get(
    "/api/videos/:id/replays",
    {
      config: { policy: "public", cache: { ttlMs: 60_000 } },
      schema: {
        tags: ["videos"],
        summary: "Get the most replayed part of a video",
        params: videoParams,
        response: { 200: replayPeakResponse },
      },
    },
    async (request) => {
      const { id, isLocked } = await videos.get(request.params.id, viewerOf(request));
      if (isLocked === true || !(await settings.current()).replayPeak) return { peak: null };
      const replays = await readReplays(db, id);
      if (replays === null || replays.plays < minCurvePlays) return { peak: null };
      const { plays, replayed, durationS } = replays;
      const peak = findReplayPeak(replayed, plays);
      if (peak === null) return { peak };
      const secondsOf = (at: number) => (at * durationS) / binCount;
      return { peak: { fromS: secondsOf(peak[0]), toS: secondsOf(peak[1]) } };
    },
  );
}

/** Routes for the videos that this visitor liked or saved, without signing in. */
function registerFavoriteRoutes(
  app: App,
  deps: { db: Db; createPipeline: CreatePipeline; visitors: Visitors },
): void {
  const list = deps.createPipeline({
    skeleton: ({
      visitorId,
      limit,
      offset,
    }: {
      visitorId: string;
      limit: number;
      offset: number;
    }) => listFavoriteIds(deps.db, visitorId, limit, offset),
    reasons:
      async (_videos, { likedIds }) =>
      (video) => ({ isLiked: likedIds.has(video.id) }),
    present: (videos, { total }) => ({ videos, total, nextCursor: null }),
  });

  app.get(
    "/api/favorites",
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["videos"],
        summary: "List the videos this visitor liked or saved",
        querystring: pageQuery,
        response: { 200: videoList },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const visitorId = deps.visitors.find(request);
      if (visitorId === null) return { videos: [], total: 0, nextCursor: null };
      const { limit = limits.publicPageSize, offset = 0 } = request.query;
      return list({ visitorId, limit, offset }, { isAdmin: false });
    },
  );
}

/** Likes, saved videos and watch reports. */
export function createEngagementFeature(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  videos: VideosService;
  settings: SettingsService;
  createPipeline: CreatePipeline;
  visitors: Visitors;
  /** Called with the visitors of new views, in the transaction that counts them. */
  onViews: (trx: Trx, visitorIds: string[]) => Promise<void>;
}): Feature & { watches: WatchService } {
  const likes = createLikesService(deps);
  const watches = createWatchService({ ...deps, ...deps.config });
  return {
    watches,
    jobs: [createHistoryUpkeepJob({ ...deps, ...deps.config })],
    registerRoutes(app) {
      registerEngagementRoutes(app, { ...deps, ...deps.config, likes, watches });
      registerFavoriteRoutes(app, deps);
      registerReplayRoute(app, deps);
    },
    async drain() {
      await Promise.all([watches.drain(), likes.drain()]);
    },
  };
}
