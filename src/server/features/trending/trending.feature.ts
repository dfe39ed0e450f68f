import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { rankQuery, rankReason } from "#contract/videos/rank.ts";
import { videoParams as params } from "#contract/videos/videos.ts";
import type { Feature, App } from "#server/http/app.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { timeRangeValues } from "#contract/limits.ts";
import { trendingStats } from "#contract/lists/statistics.ts";
import { createRankService, type RankService } from "./rank.service.ts";
import { createTrendingService, type TrendingService } from "./trending.service.ts";

function registerTrendingRoutes(app: App, deps: { trending: TrendingService }): void {
  app.get(
    "/api/trending/stats",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["trending"],
        summary: "Get totals and growth of a time range",
        querystring: z.object({
          timeRange: z
            .enum(timeRangeValues, { error: `must be one of ${timeRangeValues.join(", ")}` })
            .optional(),
        }),
        response: { 200: trendingStats },
      },
    },
    (request) => deps.trending.stats(request.query.timeRange ?? "week"),
  );
}

/** Moves the ranking windows to the current hour. Runs once a minute. */
function createRankingUpkeepJob(deps: { trending: TrendingService }): AnyJobDefinition {
  return defineJob({
    name: "ranking.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: () => deps.trending.moveWindow(),
  });
}

function registerRankRoutes(app: App, { ranks }: { ranks: RankService }): void {
  app.get(
    "/api/videos/:id/why",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["videos"],
        summary: "Get the rank of a video in a list, and the reason",
        params,
        querystring: rankQuery,
        response: { 200: rankReason },
      },
    },
    (request) => ranks.explain(request.params.id, request.query),
  );
}

export function createTrendingFeature(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
}): Feature & { trending: TrendingService } {
  const trending = createTrendingService(deps);
  const ranks = createRankService(deps);
  return {
    trending,
    start: () => trending.moveWindow(),
    registerRoutes(app) {
      registerTrendingRoutes(app, { trending });
      registerRankRoutes(app, { ranks });
    },
    jobs: [createRankingUpkeepJob({ trending })],
  };
}
