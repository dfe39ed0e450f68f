import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import { relatedList, videoParams as params } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/viewer.ts";
import { createRelatedJob } from "./related.jobs.ts";
import {
  createRelatedService,
  createRelatedVideos,
  type RelatedService,
} from "./related.service.ts";

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
