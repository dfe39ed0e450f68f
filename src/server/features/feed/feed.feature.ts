import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { createBanditRanker } from "./bandit-ranker.ts";
import { registerFeedRoutes } from "./feed.routes.ts";
import { createFeedService, type FeedService } from "./feed.service.ts";

/** The For You feed. */
export function createFeedFeature(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
  createPipeline: CreatePipeline;
  visitors: Pick<Visitors, "find">;
}): Feature & { feed: FeedService } {
  const feed = createFeedService({ ...deps, ranker: createBanditRanker(deps) });
  return {
    feed,
    registerRoutes: (app) => registerFeedRoutes(app, { ...deps, feed }),
    invalidate(changes) {
      if (concerns(changes, "videos")) feed.invalidate();
    },
  };
}
