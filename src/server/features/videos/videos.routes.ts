import { scheduleBody } from "#contract/videos/admin-videos.ts";
import { clipFateQuery } from "#contract/videos/clips.ts";
import {
  midrollResponse,
  video,
  videoParams as params,
  videoUpdate,
} from "#contract/videos/videos.ts";
import { actorOf, requireAction, viewerOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { VideoChangesService } from "./video-changes.service.ts";
import type { SchedulingService } from "./publishing/scheduling.service.ts";
import type { ReprocessingService } from "./replacements/reprocessing.service.ts";
import type { VideosService } from "./videos.service.ts";

const tags = ["videos"];

/** Routes to read, change, schedule, delete and reprocess one video. */
export function registerVideoRoutes(
  app: App,
  deps: {
    videos: VideosService;
    changes: VideoChangesService;
    scheduling: SchedulingService;
    reprocessing: ReprocessingService;
  },
): void {
  const { videos, changes, scheduling, reprocessing } = deps;

  app.get(
    "/api/videos/:id",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: { tags, summary: "Get a video by ID or slug", params, response: { 200: video } },
    },
    (request) => videos.get(request.params.id, viewerOf(request)),
  );

  app.get(
    "/api/videos/:id/midroll",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags,
        summary: "Get the times of mid-rolls in seconds",
        params,
        response: { 200: midrollResponse },
      },
    },
    async (request) => ({
      config: { times: await videos.listMidrollTimes(request.params.id, viewerOf(request)) },
    }),
  );

  app.put(
    "/api/videos/:id",
    {
      config: { policy: ["content.edit", "content.publish"] },
      schema: {
        tags,
        summary: "Change a video; absent fields stay as they are",
        params,
        body: videoUpdate,
        response: { 200: video },
      },
    },
    (request) => {
      const { isPublished, visibility, version: _, ...details } = request.body;
      if (isPublished !== undefined || visibility !== undefined) {
        requireAction(request, "content.publish");
      }
      if (Object.keys(details).length > 0) requireAction(request, "content.edit");
      return changes.update(request.params.id, request.body, actorOf(request));
    },
  );

  app.put(
    "/api/admin/videos/:id/schedule",
    {
      config: { policy: "content.publish" },
      schema: {
        tags: ["admin videos"],
        summary: "Schedule publishing; null cancels the schedule",
        params,
        body: scheduleBody,
        response: { 200: video },
      },
    },
    (request) => {
      const { publishAt } = request.body;
      const at = publishAt === null ? null : new Date(publishAt);
      return scheduling.schedule(request.params.id, at, actorOf(request));
    },
  );

  app.delete(
    "/api/videos/:id",
    {
      config: { policy: "content.remove" },
      schema: {
        tags,
        summary: "Delete a video and its media, and keep or remove its clips",
        params,
        querystring: clipFateQuery,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await changes.remove(request.params.id, actorOf(request), request.query.clips);
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/videos/:id/retry",
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "Retry a failed video", params, response: { 200: video } },
    },
    (request) => changes.retry(request.params.id, actorOf(request)),
  );

  app.post(
    "/api/videos/:id/reprocess",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Reprocess a video from its original file",
        params,
        response: { 200: video },
      },
    },
    (request) => reprocessing.begin(request.params.id, actorOf(request)),
  );
}
