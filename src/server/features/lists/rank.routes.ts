import { z } from "zod";
import { standing, standingQuery } from "../../../contract/rank.ts";
import type { App } from "../../http/app.ts";
import type { StandingService } from "./rank.service.ts";

export function registerStandingRoutes(app: App, deps: { standings: StandingService }): void {
  app.get(
    "/api/videos/:id/why",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["videos"],
        summary: "Where a video stands in a list, and why",
        params: z.object({ id: z.string().min(1).max(200) }),
        querystring: standingQuery,
        response: { 200: standing },
      },
    },
    (request) => deps.standings.explain(request.params.id, request.query),
  );
}
