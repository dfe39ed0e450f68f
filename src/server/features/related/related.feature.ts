import { z } from "zod";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type JobQueue, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import { relatedList, videoParams as params } from "#contract/videos/videos.ts";
import type { Feature, App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/policy.ts";
import {
  createRelatedService,
  createRelatedVideos,
  type RelatedService,
  type RelatedVideos,
} from "./related.service.ts";
import { queueNeighbours, queueOutdated, takeQueued } from "./related-queue.repository.ts";

/** Time that the run each minute spends on videos that haven't just changed: a tenth of a core. */
const backgroundMs = 6000;
/** Maximum number of outdated choices queued per minute, matched to the work done in one. */
const outdatedMax = 500;
const takenAtOnce = 20;

/**
 * Refreshes related videos: once a minute for all, most viewed first, and soon after a change for
 * the videos that changed.
 */
export function createRelatedJob(deps: { db: Db; relatedVideos: RelatedVideos }): AnyJobDefinition {
  const { db, relatedVideos } = deps;
  return defineJob({
    name: "related.choose",
    payload: z.object({ isUrgentOnly: z.boolean().default(false) }),
    concurrency: 1,
    schedule: { cron: "* * * * *" },
    async run({ isUrgentOnly }, { signal }) {
      const startedAt = performance.now();
      if (!isUrgentOnly) await queueOutdated(db, outdatedMax);
      for (;;) {
        const hasTime = performance.now() - startedAt < backgroundMs;
        const queued = await takeQueued(db, takenAtOnce, {
          isUrgentOnly: isUrgentOnly || !hasTime,
        });
        if (queued.length === 0) return;
        for (const { videoId, isUrgent } of queued) {
          signal.throwIfAborted();
          const { ids } = await relatedVideos.choose(videoId);
          if (isUrgent) await queueNeighbours(db, ids);
        }
      }
    },
  });
}

const tags = ["videos"];

function registerRelatedRoutes(app: App, { related }: { related: RelatedService }): void {
  app.get(
    "/api/videos/:id/related",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags,
        summary: "List up to 6 related videos",
        params,
        response: { 200: relatedList },
      },
    },
    (request) => related.list(request.params.id, viewerOf(request)),
  );
}

export function createRelatedFeature(deps: {
  db: Db;
  queue: JobQueue;
  logger: Logger;
  videos: VideosService;
  skeletons: ListSkeletons;
  createPipeline: CreatePipeline;
}): Feature & { related: RelatedService } {
  const { db, queue, logger } = deps;
  const relatedVideos = createRelatedVideos({ db, lists: deps.skeletons });
  const related = createRelatedService({ ...deps, relatedVideos });
  return {
    related,
    registerRoutes: (app) => registerRelatedRoutes(app, { related }),
    jobs: [createRelatedJob({ db, relatedVideos })],
    // Runs one job for several changes in a row, including changes in other processes.
    invalidate(changes) {
      if (!concerns(changes, "videos")) return;
      queue
        .enqueue(db, "related.choose", { isUrgentOnly: true }, { key: "changed", startAfterS: 1 })
        .catch((error: unknown) =>
          warnLimited(logger, "related videos", { err: error }, "couldn't choose related videos"),
        );
    },
  };
}
