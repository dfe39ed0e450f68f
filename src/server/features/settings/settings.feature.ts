import { concerns, type PublishChanges } from "../../db/change-tags.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import type { SourceOffer } from "../source/source.feature.ts";
import { registerSettingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

export function createSettingsFeature(deps: {
  db: Db;
  storage: Pick<Storage, "createScratch" | "putFile" | "delete">;
  media: Pick<Media, "makeIcon">;
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
    registerRoutes: (app) => registerSettingsRoutes(app, { ...deps, settings }),
  };
}
