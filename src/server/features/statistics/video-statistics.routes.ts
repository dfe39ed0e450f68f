import { z } from "zod";
import { videoStatistics } from "#contract/lists/admin-statistics.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { readOrigins, readRetention, readVideoDays } from "./video-statistics.repository.ts";

const days = 30;

/** Route of one video's statistics. */
export function registerVideoStatisticsRoute(
  app: App,
  { db, clock }: { db: Db; clock: Clock },
): void {
  app.get(
    "/api/admin/videos/:id/statistics",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags: ["admin videos"],
        summary: "Get a video's plays and watch time per day, retention, and traffic sources",
        params: z.object({ id: z.uuid() }),
        response: { 200: videoStatistics },
      },
    },
    async (request) => {
      const { id } = request.params;
      const [byDay, retention, origins] = await Promise.all([
        readVideoDays(db, id, { now: clock.date(), days }),
        readRetention(db, id),
        readOrigins(db, id),
      ]);
      if (retention === null) throw new AppError("not_found", "Video not found");
      return { days: byDay, ...retention, origins };
    },
  );
}
