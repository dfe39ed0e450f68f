import { concerns, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import { registerOwnTextRoutes } from "./own-texts.routes.ts";
import { createOwnTextsService, type OwnTextsService } from "./own-texts.service.ts";
import { registerSettingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

export function createSettingsFeature(deps: {
  db: Db;
  storage: Pick<Storage, "createScratch" | "putFile" | "delete">;
  media: Pick<Media, "makeIcon"> & { report: Pick<Media["report"], "hasSvtAv1"> };
  configuredSiteUrl: string;
  changed: PublishChanges;
}): Feature & { settings: SettingsService; ownTexts: OwnTextsService } {
  const settings = createSettingsService(deps);
  const ownTexts = createOwnTextsService(deps);
  return {
    settings,
    ownTexts,
    invalidate(changes) {
      if (!concerns(changes, "settings")) return;
      settings.invalidate();
      ownTexts.invalidate();
    },
    registerRoutes(app) {
      registerSettingsRoutes(app, { ...deps, settings });
      registerOwnTextRoutes(app, ownTexts);
    },
  };
}
