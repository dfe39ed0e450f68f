import { z } from "zod";
import type { ChangeEvents } from "#server/db/change-events.ts";
import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { AuthService } from "#server/features/auth/auth.service.ts";
import { videoStatistics } from "#contract/lists/admin-statistics.ts";
import type { Feature, App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readCurve, readSources } from "./audience.repository.ts";
import { registerAudienceRoutes } from "./audience.routes.ts";
import { createEventHub } from "./event-hub.ts";
import { registerEventRoutes } from "./events.routes.ts";
import { registerStatisticsRoutes } from "./statistics.routes.ts";
import { readOrigins, readRetention, readVideoDays } from "./video-statistics.repository.ts";

const days = 30;

/** Route of one video's statistics. */
function registerVideoStatisticsRoute(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  app.get(
    "/api/admin/videos/:id/statistics",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags: ["admin videos"],
        summary:
          "Get a video's plays and watch time per day, watched parts, retention, and traffic sources",
        params: z.object({ id: z.uuid() }),
        response: { 200: videoStatistics },
      },
    },
    async (request) => {
      const { id } = request.params;
      const range = { now: clock.date(), days };
      const [byDay, retention, origins, curve, { countries, devices }] = await Promise.all([
        readVideoDays(db, id, range),
        readRetention(db, id),
        readOrigins(db, id),
        readCurve(db, id),
        readSources(db, id, range),
      ]);
      if (retention === null) throw new AppError("not_found", "Video not found");
      return { days: byDay, ...retention, origins, curve, countries, devices };
    },
  );
}

/** Back-office dashboard: totals, statistics and live events. */
export function createStatisticsFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  auth: AuthService;
  changeEvents: ChangeEvents;
}): Feature {
  return {
    registerRoutes(app) {
      registerStatisticsRoutes(app, deps);
      registerVideoStatisticsRoute(app, deps);
      registerAudienceRoutes(app, deps);
      registerEventRoutes(app, { ...deps, hub: createEventHub(deps) });
    },
  };
}
