import type { PublishChanges } from "../../db/change-tags.ts";
import { concerns } from "../../db/change-tags.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
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
