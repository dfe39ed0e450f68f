import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { registerRankRoutes } from "./rank.routes.ts";
import { createRankService } from "./rank.service.ts";
import { createRankingUpkeepJob } from "./ranking.jobs.ts";
import { registerTrendingRoutes } from "./trending.routes.ts";
import { createTrendingService, type TrendingService } from "./trending.service.ts";

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
