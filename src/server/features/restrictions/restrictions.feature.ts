import type { Config } from "#server/config.ts";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { HttpCore } from "#server/http/app.ts";
import type { Feature } from "#server/http/feature.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { registerAgeRoute } from "./restrictions.routes.ts";
import { createRestrictionsService, type RestrictionsService } from "./restrictions.service.ts";

export interface RestrictionsFeature extends Feature {
  restrictions: RestrictionsService;
}

/** Milliseconds after which a failed reload of the rules is repeated. */
const retryAfterMs = 2000;

/** Restricts who may see the site or a video, by age and country. */
export function createRestrictionsFeature(deps: {
  db: Db;
  logger: Logger;
  http: Pick<HttpCore, "screenRequests">;
  config: Pick<Config, "geoHeader">;
  settings: Pick<SettingsService, "get">;
}): RestrictionsFeature {
  const { logger, http, config } = deps;
  const restrictions = createRestrictionsService({ ...deps, geoHeader: config.geoHeader });
  let retry: NodeJS.Timeout | undefined;

  function reload(): void {
    clearTimeout(retry);
    restrictions.refresh().catch((error: unknown) => {
      warnLimited(logger, "restrictions", { err: error }, "couldn't reload age and country rules");
      retry = setTimeout(reload, retryAfterMs).unref();
    });
  }

  return {
    restrictions,
    async start() {
      await restrictions.refresh();
      http.screenRequests(restrictions);
    },
    registerRoutes: (app) => registerAgeRoute(app, { restrictions }),
    invalidate(changes) {
      const isAffected =
        concerns(changes, "settings") ||
        (changes !== "everything" && [...changes].some((tag) => tag.startsWith("video:")));
      if (isAffected) reload();
    },
  };
}
