import { concerns, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  ownTextBody,
  siteText,
  siteTextParams,
  siteTexts,
  siteTextsQuery,
} from "#contract/site/own-texts.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { Feature, App } from "#server/http/app.ts";
import { registerOwnPageRoutes } from "./own-pages.routes.ts";
import { createOwnPagesService, type OwnPagesService } from "./own-pages.service.ts";
import { createOwnTextsService, type OwnTextsService } from "./own-texts.service.ts";
import { renameZone } from "./settings.repository.ts";
import { registerSettingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

function registerOwnTextRoutes(app: App, ownTexts: OwnTextsService): void {
  app.get(
    "/api/admin/texts",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary: "List the texts of the public pages in a language, with the operator's own",
        querystring: siteTextsQuery,
        response: { 200: siteTexts },
      },
    },
    (request) => ownTexts.list(request.query.language),
  );

  app.put(
    "/api/admin/texts/:language/:id",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary: "Replace a text of the public pages; null restores the standard text",
        params: siteTextParams,
        body: ownTextBody,
        response: { 200: siteText },
      },
    },
    (request) => ownTexts.save(request.params, request.body.text, actorOf(request)),
  );
}

export function createSettingsFeature(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  configuredSiteUrl: string;
  configuredMediaBytesPerHour: number | null;
  hasImportFolder: boolean;
  changed: PublishChanges;
}): Feature & {
  settings: SettingsService;
  ownTexts: OwnTextsService;
  ownPages: OwnPagesService;
} {
  const ownPages: OwnPagesService = createOwnPagesService({
    ...deps,
    siteLanguage: () => settings.siteLanguage(),
  });
  const settings: SettingsService = createSettingsService({
    ...deps,
    listOwnPages: (place) => ownPages.listLinks(place),
  });
  const ownTexts = createOwnTextsService(deps);
  return {
    settings,
    ownTexts,
    ownPages,
    start: () => renameZone(deps.db),
    invalidate(changes) {
      if (!concerns(changes, "settings")) return;
      settings.invalidate();
      ownTexts.invalidate();
      ownPages.invalidate();
    },
    registerRoutes(app) {
      registerSettingsRoutes(app, { ...deps, settings, ownPages });
      registerOwnPageRoutes(app, { ...deps, ownPages });
      registerOwnTextRoutes(app, ownTexts);
    },
  };
}
