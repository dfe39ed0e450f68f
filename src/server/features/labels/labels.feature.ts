import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import { registerLabelRoutes } from "./labels.routes.ts";
import { createLabelsService, type LabelsService } from "./labels.service.ts";

/** Categories, tags and actors. */
export function createLabelsFeature(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  changed: PublishChanges;
}): Feature & { labels: LabelsService } {
  const labels = createLabelsService(deps);
  return { labels, registerRoutes: (app) => registerLabelRoutes(app, { ...deps, labels }) };
}
