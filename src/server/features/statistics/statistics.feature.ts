import type { ChangeEvents } from "#server/db/change-events.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { AuthService } from "#server/features/auth/auth.service.ts";
import { createEventHub } from "./event-hub.ts";
import { registerEventRoutes } from "./events.routes.ts";
import { registerStatisticsRoutes } from "./statistics.routes.ts";
import { registerVideoStatisticsRoute } from "./video-statistics.routes.ts";

/** Back-office dashboard: totals, statistics and live events. */
export function createAdminFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Pick<Storage, "findFreeBytes">;
  auth: Pick<AuthService, "findUser">;
  changeEvents: Pick<ChangeEvents, "onSessionsEnded">;
}): Feature {
  return {
    registerRoutes(app) {
      registerStatisticsRoutes(app, deps);
      registerVideoStatisticsRoute(app, deps);
      registerEventRoutes(app, { ...deps, hub: createEventHub(deps) });
    },
  };
}
