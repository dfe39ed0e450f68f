import { limits } from "#contract/limits.ts";
import { pageQuery } from "#contract/lists/paging.ts";
import { videoList } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { listFavoriteIds } from "./favorites.repository.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";

/** Routes for the videos that this visitor liked or saved, without signing in. */
export function registerFavoriteRoutes(
  app: App,
  deps: { db: Db; createPipeline: CreatePipeline; visitors: Pick<Visitors, "find"> },
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
