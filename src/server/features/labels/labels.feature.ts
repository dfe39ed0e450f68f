import type { PublishChanges } from "#server/db/change-tags.ts";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import { registerLabelRoutes } from "./labels.routes.ts";
import { createLabelIds } from "./label-ids.ts";
import { findLabelId } from "./labels.repository.ts";
import { createLabelsService, type LabelsService } from "./labels.service.ts";

/** Categories, tags and actors. */
export function createLabelsFeature(deps: {
  db: Db;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  changed: PublishChanges;
}): Feature & { labels: LabelsService } {
  const labelIds = createLabelIds((kind, name) => findLabelId(deps.db, kind, name));
  const labels = createLabelsService({ ...deps, labelIds });
  return {
    labels,
    registerRoutes: (app) => registerLabelRoutes(app, { ...deps, labels }),
    invalidate(changes) {
      if (concerns(changes, "labels")) labelIds.invalidate();
    },
  };
}
