import { feedList, feedQuery } from "#contract/lists/feed.ts";
import type { App } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { FeedService } from "./feed.service.ts";

/** Reads the visitor cookie if there is one. Lists never set it. */
export function registerFeedRoutes(
  app: App,
  deps: { feed: FeedService; visitors: Pick<Visitors, "find"> },
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
      void reply.header("cache-control", "no-store");
      return deps.feed.list(request.query, deps.visitors.find(request));
    },
  );
}
