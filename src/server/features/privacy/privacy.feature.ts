import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Feature } from "#server/http/feature.ts";
import { defineJob } from "#server/jobs/job-definition.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { deleteOutdated } from "./privacy.repository.ts";
import { registerPrivacyRoutes } from "./privacy.routes.ts";
import { createPrivacyService, type PrivacyService } from "./privacy.service.ts";

/** Stored data about visitors, and their choices about it. */
export function createPrivacyFeature(deps: {
  db: Db;
  clock: Clock;
  config: Config;
  mailer: { isConfigured: boolean };
  visitors: Visitors;
  settings: SettingsService;
  ads: Pick<AdsFeature, "describe">;
}): Feature & { privacy: PrivacyService } {
  const privacy = createPrivacyService(deps);
  const { db, clock, visitors } = deps;
  return {
    privacy,
    registerRoutes: (app) => registerPrivacyRoutes(app, { privacy, visitors }),
    jobs: [
      defineJob({
        name: "privacy.delete-outdated",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "41 * * * *" },
        run: () => deleteOutdated(db, clock.date()),
      }),
    ],
  };
}
