import { clipOptions, clipsBody } from "#contract/videos/clips.ts";
import { createdVideos, relatedList, videoParams as params } from "#contract/videos/videos.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { actorOf, viewerOf } from "#server/http/access/policy.ts";
import type { Feature } from "#server/http/app.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Media } from "#server/media/media.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { createClipsService } from "./clips.service.ts";

/** Makes clips of videos, and lists those of a video. */
export function createClipsFeature(deps: {
  db: Db;
  reads: Db;
  queue: JobQueue;
  media: Media;
  labels: LabelsService;
  videos: VideosService;
  captions: CaptionsService;
  blockedFiles: BlockedFilesService;
  createPipeline: CreatePipeline;
  changed: PublishChanges;
}) {
  const clips = createClipsService(deps);
  return {
    clips,
    registerRoutes(app) {
      app.get(
        "/api/videos/:id/clips",
        {
          config: { policy: "public", cache: { ttlMs: 1000 } },
          schema: {
            tags: ["videos"],
            summary: "List the published clips of a video, in the order of their passages",
            params,
            response: { 200: relatedList },
          },
        },
        (request) => clips.list(request.params.id, viewerOf(request)),
      );
      app.post(
        "/api/videos/:id/clips",
        {
          config: { policy: "content.edit", isIdempotent: true },
          schema: {
            tags: ["videos"],
            summary: "Make drafts from passages of a video: all of them or none",
            params,
            body: clipsBody,
            response: { 201: createdVideos },
          },
        },
        async (request, reply) => {
          const { id } = request.params;
          const videos = await clips.create(id, request.body, actorOf(request));
          return reply.status(201).send({ videos });
        },
      );
      app.get(
        "/api/admin/videos/:id/clips",
        {
          config: { policy: "content.read" },
          schema: {
            tags: ["admin videos"],
            summary:
              "Get suggestions for clips of a video, and its clips with the viewers they brought",
            params,
            response: { 200: clipOptions },
          },
        },
        (request) => clips.getOptions(request.params.id),
      );
    },
  } satisfies Feature & { clips: unknown };
}
