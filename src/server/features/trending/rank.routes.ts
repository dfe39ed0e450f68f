import { rankQuery, rankReason } from "#contract/videos/rank.ts";
import { videoParams as params } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import type { RankService } from "./rank.service.ts";

export function registerRankRoutes(app: App, { ranks }: { ranks: RankService }): void {
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
