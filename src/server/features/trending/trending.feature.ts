import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { LabelTops } from "#server/features/lists/label-tops.service.ts";
import { createRankingUpkeepJob } from "./ranking.jobs.ts";
import { registerTrendingRoutes } from "./trending.routes.ts";
import { createTrendingService, type TrendingService } from "./trending.service.ts";

export function createTrendingFeature(deps: {
  db: Db;
  clock: Clock;
  search: { refreshStale(signal: AbortSignal): Promise<void> };
  labelTops: Pick<LabelTops, "refresh">;
}): Feature & { trending: TrendingService } {
  const trending = createTrendingService(deps);
  return {
    trending,
    start: () => trending.moveWindow(),
    registerRoutes: (app) => registerTrendingRoutes(app, { trending }),
    jobs: [createRankingUpkeepJob({ ...deps, trending })],
  };
}
