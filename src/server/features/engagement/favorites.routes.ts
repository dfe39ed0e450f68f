import { limits } from "#contract/limits.ts";
import { pageQuery } from "#contract/lists/paging.ts";
import { videoList } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { listFavoriteIds } from "./favorites.repository.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";

/** The videos that this visitor liked or saved, the latest first, without signing in. */
export function registerFavoriteRoutes(
  app: App,
  deps: { db: Db; videos: VideosService; visitors: Pick<Visitors, "find"> },
): void {
  app.get(
    "/api/favorites",
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["videos"],
        summary: "What this visitor liked or saved",
        querystring: pageQuery,
        response: { 200: videoList },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const visitorId = deps.visitors.find(request);
      if (visitorId === null) return { videos: [], total: 0, nextCursor: null };
      const { limit = limits.publicPageSize, offset = 0 } = request.query;
      const found = await listFavoriteIds(deps.db, visitorId, limit, offset);
      const videos = await deps.videos.listByIds(found.ids, { isAdmin: false }, found.likedIds);
      return { videos, total: found.total, nextCursor: null };
    },
  );
}
