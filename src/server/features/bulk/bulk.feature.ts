import { z } from "zod";
import type { PublishChanges } from "#server/db/change-tags.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import type { Feature, App } from "#server/http/app.ts";
import { defineJob, type JobQueue, type AnyJobDefinition } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import {
  bulkJob,
  bulkJobList,
  bulkPlanRequest,
  bulkRequest,
} from "#contract/videos/admin-videos.ts";
import { reprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import { actorOf, requireAction } from "#server/http/access/policy.ts";
import {
  createBulkService,
  createBulkRunner,
  type BulkService,
  type BulkRunner,
} from "./bulk.service.ts";
import { requiredAction } from "./apply-action.ts";

const params = z.object({ id: z.string().min(1).max(200) });

function registerBulkRoutes(app: App, { bulk }: { bulk: BulkService }): void {
  const tags = ["bulk actions"];

  app.get(
    "/api/admin/bulk",
    {
      config: { policy: "content.read" },
      schema: { tags, summary: "List the latest bulk actions", response: { 200: bulkJobList } },
    },
    () => bulk.list(),
  );

  app.post(
    "/api/admin/bulk",
    {
      config: { policy: "content.publish", isIdempotent: true },
      schema: {
        tags,
        summary: "Change selected videos, or all that match a filter",
        body: bulkRequest,
        response: { 202: bulkJob },
      },
    },
    async (request, reply) => {
      requireAction(request, requiredAction(request.body.action.kind));
      return reply.status(202).send(await bulk.start(request.body, actorOf(request)));
    },
  );

  app.post(
    "/api/admin/bulk/reprocess/plan",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Estimate the time and space that reprocessing takes",
        body: bulkPlanRequest,
        response: { 200: reprocessingPlan },
      },
    },
    (request) => bulk.planReprocess(request.body.target),
  );

  app.get(
    "/api/admin/bulk/:id",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "Get the progress of a bulk action",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.get(request.params.id),
  );

  app.post(
    "/api/admin/bulk/:id/cancel",
    {
      config: { policy: "content.publish" },
      schema: {
        tags,
        summary: "Cancel a bulk action; finished changes are kept",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.cancel(request.params.id, actorOf(request)),
  );
}

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
