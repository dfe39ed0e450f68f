import { concerns } from "../../db/change-tags.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Visitors } from "../../http/access/visitors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { VideosService } from "../library/videos.service.ts";
import { createBanditRanker } from "./bandit-ranker.ts";
import { registerFeedRoutes } from "./feed.routes.ts";
import { createFeedService, type FeedService } from "./feed.service.ts";

/** The For You feed. */
export function createFeedFeature(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
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
