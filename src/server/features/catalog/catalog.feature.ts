import type { PublishChanges } from "#server/db/change-tags.ts";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import { registerCatalogRoutes } from "./catalog.routes.ts";
import { createLabelIds } from "./label-ids.ts";
import { findTaxonomyId } from "./taxonomy.repository.ts";
import { createCatalogService, type CatalogService } from "./catalog.service.ts";

/** Categories, tags and actors. */
export function createCatalogFeature(deps: {
  db: Db;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  changed: PublishChanges;
}): Feature & { catalog: CatalogService } {
  const labelIds = createLabelIds((kind, name) => findTaxonomyId(deps.db, kind, name));
  const catalog = createCatalogService({ ...deps, labelIds });
  return {
    catalog,
    registerRoutes: (app) => registerCatalogRoutes(app, { ...deps, catalog }),
    invalidate(changes) {
      if (concerns(changes, "labels")) labelIds.invalidate();
    },
  };
}
