import type { PublishChanges } from "../../db/change-tags.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import { registerCatalogRoutes } from "./catalog.routes.ts";
import { createCatalogService, type CatalogService } from "./catalog.service.ts";

/** Categories, tags and actors. */
export function createCatalogFeature(deps: {
  db: Db;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  changed: PublishChanges;
}): Feature & { catalog: CatalogService } {
  const catalog = createCatalogService(deps);
  return { catalog, registerRoutes: (app) => registerCatalogRoutes(app, { ...deps, catalog }) };
}
