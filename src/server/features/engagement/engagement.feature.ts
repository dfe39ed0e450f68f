import type { Config } from "#server/config.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { createHistoryUpkeepJob } from "./history.jobs.ts";
import { registerEngagementRoutes } from "./engagement.routes.ts";
import { registerFavoriteRoutes } from "./favorites.routes.ts";
import { createLikesService } from "./likes.service.ts";
import { createWatchService, type WatchService } from "./watch.service.ts";

/** Likes, saved videos and watch reports. */
export function createEngagementFeature(deps: {
  config: Pick<Config, "webProcesses" | "historyMonths">;
  db: Db;
  clock: Clock;
  videos: VideosService;
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
      registerEngagementRoutes(app, { ...deps, likes, watches });
      registerFavoriteRoutes(app, deps);
    },
    async drain() {
      await Promise.all([watches.drain(), likes.drain()]);
    },
  };
}
