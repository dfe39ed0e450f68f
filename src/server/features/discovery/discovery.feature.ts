import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { HttpCore, Feature } from "#server/http/app.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { ListsService } from "#server/features/videos/query/lists.service.ts";
import type { Podcasts } from "#server/features/podcasts/podcasts.service.ts";
import type { OwnPagesService } from "#server/features/settings/own-pages.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { Storage } from "#server/storage/storage.ts";
import { registerDiscoveryRoutes } from "./discovery.routes.ts";
import { createSitemapService } from "./sitemap.service.ts";

/** Serves pages for search engines, RSS readers and other sites. */
export function createDiscoveryFeature(deps: {
  http: HttpCore;
  reads: Db;
  clock: Clock;
  config: Pick<Config, "geoHeader">;
  storage: Storage;
  settings: SettingsService;
  ownPages: OwnPagesService;
  videos: VideosService;
  lists: ListsService;
  labels: LabelsService;
  podcasts: Podcasts;
}): Feature {
  const sitemap = createSitemapService({
    ...deps,
    db: deps.reads,
    siteUrl: () => deps.settings.siteUrl(),
    knowsCountries: deps.config.geoHeader !== null,
    listOwnPages: () => deps.ownPages.listIndexed(),
  });
  return { registerRoutes: (app) => registerDiscoveryRoutes(app, { ...deps, sitemap }) };
}
