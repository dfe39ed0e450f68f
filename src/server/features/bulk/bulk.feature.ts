import { z } from "zod";
import type { PublishChanges } from "#server/db/change-tags.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import { createBulkRunner, type BulkRunner } from "./bulk-runner.service.ts";
import { registerBulkRoutes } from "./bulk.routes.ts";
import { createBulkService } from "./bulk.service.ts";

/**
 * Runs bulk actions. If an action itself causes an error, it fails. If it is interrupted, it runs
 * again.
 */
function createBulkJob(deps: { runner: BulkRunner; logger: Logger }): AnyJobDefinition {
  const { runner, logger } = deps;
  return defineJob({
    name: "bulk.run",
    payload: z.object({ bulkId: z.uuid() }),
    concurrency: 2,
    async run({ bulkId }, { signal }) {
      try {
        await runner.run(bulkId, signal);
      } catch (error) {
        if (signal.aborted || isDatabaseUnreachable(error)) throw error;
        logger.error({ err: error, bulkId }, "bulk action failed");
        await runner.fail(bulkId);
      }
    },
  });
}

/** Applies one action to many videos in a background job. */
export function createBulkFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  storage: Storage;
  labels: LabelsService;
  skeletons: ListSkeletons;
  changed: PublishChanges;
}): Feature {
  const bulk = createBulkService(deps);
  const runner = createBulkRunner(deps);
  return {
    jobs: [createBulkJob({ runner, logger: deps.logger })],
    registerRoutes: (app) => registerBulkRoutes(app, { bulk }),
  };
}
