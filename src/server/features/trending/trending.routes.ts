import { z } from "zod";
import { timeRangeValues } from "#contract/limits.ts";
import { trendingStats } from "#contract/lists/statistics.ts";
import type { App } from "#server/http/app.ts";
import type { TrendingService } from "./trending.service.ts";

export function registerTrendingRoutes(app: App, deps: { trending: TrendingService }): void {
  app.get(
    "/api/trending/stats",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["trending"],
        summary: "Get totals and growth of a time range",
        querystring: z.object({
          timeRange: z
            .enum(timeRangeValues, { error: `must be one of ${timeRangeValues.join(", ")}` })
            .optional(),
        }),
        response: { 200: trendingStats },
      },
    },
    (request) => deps.trending.stats(request.query.timeRange ?? "week"),
  );
}
