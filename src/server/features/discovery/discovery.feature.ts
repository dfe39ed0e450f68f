import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Clock } from "../../lib/clock.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { ListsService } from "../lists/lists.service.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import { registerDiscoveryRoutes } from "./discovery.routes.ts";
import { createSitemapService } from "./sitemap.service.ts";

/** What search engines, RSS readers and other sites request. */
export function createDiscoveryFeature(deps: {
  reads: Db;
  clock: Clock;
  settings: Pick<SettingsService, "get" | "getPublic" | "siteUrl">;
  videos: Pick<VideosService, "get">;
  lists: ListsService;
  catalog: Pick<CatalogService, "get">;
}): Feature {
  const sitemap = createSitemapService({
    ...deps,
    db: deps.reads,
    siteUrl: () => deps.settings.siteUrl(),
  });
  return { registerRoutes: (app) => registerDiscoveryRoutes(app, { ...deps, sitemap }) };
}
