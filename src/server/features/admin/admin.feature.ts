import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import type { TextSearch } from "../lists/text-search.ts";
import type { VideosService } from "../library/videos.service.ts";
import { registerAdminVideoRoutes } from "../lists/admin-videos.routes.ts";
import { createAdminVideosService } from "../lists/admin-videos.service.ts";
import { registerAdminRoutes } from "./admin.routes.ts";
import { createBulkJob } from "../bulk/bulk.jobs.ts";
import { createBulkService } from "../bulk/bulk.service.ts";
import { registerBulkRoutes } from "../bulk/bulk.routes.ts";
import { registerSchedulingRoutes } from "../library/scheduling.routes.ts";
import { createSchedulingService } from "../library/scheduling.service.ts";
import { registerThumbnailRoutes } from "../library/thumbnail.routes.ts";
import { createEventHub } from "./event-hub.ts";
import { registerEventRoutes } from "./events.routes.ts";
import { createPlannedJob } from "../library/scheduled-publishing.jobs.ts";
import { createThumbnailService } from "../library/thumbnail.service.ts";

/** The back office's own server side. */
export function createAdminFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  catalog: CatalogService;
  videos: VideosService;
  search: TextSearch;
  changed: () => Promise<void>;
}): Feature {
  const adminVideos = createAdminVideosService(deps);
  const bulk = createBulkService({ ...deps, adminVideos });
  const scheduling = createSchedulingService(deps);
  const thumbnails = createThumbnailService(deps);
  return {
    jobs: [createBulkJob({ ...deps, bulk }), createPlannedJob(deps)],
    registerRoutes(app) {
      registerAdminRoutes(app, deps);
      registerAdminVideoRoutes(app, { adminVideos });
      registerSchedulingRoutes(app, { scheduling });
      registerThumbnailRoutes(app, { storage: deps.storage, thumbnails });
      registerBulkRoutes(app, { bulk });
      registerEventRoutes(app, { hub: createEventHub(deps) });
    },
  };
}
