import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { Membership } from "#server/features/passes/membership.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { feedList, feedQuery } from "#contract/lists/feed.ts";
import type { Feature, App } from "#server/http/app.ts";
import { createBanditRanker } from "./bandit-ranker.ts";
import { createFeedService, type FeedService } from "./feed.service.ts";

/** Reads the visitor cookie if there is one. Lists never set it. */
function registerFeedRoutes(
  app: App,
  deps: { feed: FeedService; visitors: Visitors; membership: Membership },
): void {
  app.get(
    "/api/feed",
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["feed"],
        summary: "Get the For You feed; videos this visitor hasn't seen come first",
        querystring: feedQuery,
        response: { 200: feedList },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "private, no-store");
      const isMember = await deps.membership.isMember(request);
      return deps.feed.list(request.query, deps.visitors.find(request), isMember);
    },
  );
}

/** The For You feed. */
export function createFeedFeature(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
  createPipeline: CreatePipeline;
  visitors: Visitors;
  membership: Membership;
  settings: SettingsService;
}): Feature & { feed: FeedService } {
  const feed = createFeedService({
    ...deps,
    ranker: createBanditRanker(deps),
    showsLockedClips: deps.settings.showsLockedClips,
  });
  return {
    feed,
    registerRoutes: (app) => registerFeedRoutes(app, { ...deps, feed }),
    invalidate(changes) {
      if (concerns(changes, "videos")) feed.invalidate();
    },
  };
}
