import { z } from "zod";
import type { Config } from "../../config.ts";
import type { Db } from "../../db/connection.ts";
import type { Visitors } from "../../http/access/visitors.ts";
import type { Feature } from "../../http/feature.ts";
import { defineJob } from "../../jobs/job-definition.ts";
import type { Clock } from "../../lib/clock.ts";
import type { AdsFeature } from "../ads/ads.feature.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import { deleteOutdated } from "./privacy.repository.ts";
import { registerPrivacyRoutes } from "./privacy.routes.ts";
import { createPrivacyService, type PrivacyService } from "./privacy.service.ts";

/** What visitors may know and decide about what is stored of them. */
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
