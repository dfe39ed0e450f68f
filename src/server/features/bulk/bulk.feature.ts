import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import { createBulkRunner } from "./bulk-runner.service.ts";
import { createBulkJob } from "./bulk.jobs.ts";
import { registerBulkRoutes } from "./bulk.routes.ts";
import { createBulkService } from "./bulk.service.ts";

/** Applies one action to many videos in a background job. */
export function createBulkFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  storage: Storage;
  labels: LabelsService;
  skeletons: Pick<ListSkeletons, "matchingIds">;
  changed: PublishChanges;
}): Feature {
  const bulk = createBulkService(deps);
  const runner = createBulkRunner(deps);
  return {
    jobs: [createBulkJob({ runner, logger: deps.logger })],
    registerRoutes: (app) => registerBulkRoutes(app, { bulk }),
  };
}
