import { concerns, type PublishChanges } from "../../db/change-tags.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { SourceOffer } from "../source/source.feature.ts";
import { registerSettingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

export function createSettingsFeature(deps: {
  db: Db;
  source: SourceOffer;
  configuredSiteUrl: string;
  changed: PublishChanges;
}): Feature & { settings: SettingsService } {
  const settings = createSettingsService(deps);
  return {
    settings,
    invalidate(changes) {
      if (concerns(changes, "settings")) settings.invalidate();
    },
    registerRoutes: (app) => registerSettingsRoutes(app, { settings }),
  };
}
