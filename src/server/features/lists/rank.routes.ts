import { z } from "zod";
import { rankReason, rankQuery } from "../../../contract/rank.ts";
import type { App } from "../../http/app.ts";
import type { RankService } from "./rank.service.ts";

export function registerRankRoutes(app: App, deps: { ranks: RankService }): void {
  app.get(
    "/api/videos/:id/why",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["videos"],
        summary: "Where a video stands in a list, and why",
        params: z.object({ id: z.string().min(1).max(200) }),
        querystring: rankQuery,
        response: { 200: rankReason },
      },
    },
    (request) => deps.ranks.explain(request.params.id, request.query),
  );
}
