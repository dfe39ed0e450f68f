import { Readable } from "node:stream";
import { z } from "zod";
import {
  adminVideoQuery,
  bulkJob,
  bulkRequest,
  scheduleBody,
} from "../../../contract/admin-videos.ts";
import { limits } from "../../../contract/limits.ts";
import { video, videoList } from "../../../contract/videos.ts";
import { actorOf } from "../../http/actor.ts";
import type { App } from "../../http/app.ts";
import { AppError } from "../../lib/app-error.ts";
import { receiveToFile } from "../../storage/receive-file.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AdminVideosService } from "./admin-videos.service.ts";
import type { BulkService } from "../bulk/bulk.service.ts";
import type { ThumbnailService } from "../library/thumbnail.service.ts";

const params = z.object({ id: z.string().min(1).max(200) });

interface Deps {
  storage: Storage;
  adminVideos: AdminVideosService;
  bulk: BulkService;
  thumbnails: ThumbnailService;
}

/** Videos as the back office needs them beyond the site's own calls. */
export function registerAdminVideoRoutes(app: App, deps: Deps): void {
  const { adminVideos } = deps;
  const tags = ["admin videos"];

  app.get(
    "/api/admin/videos",
    {
      config: { policy: "admin" },
      schema: {
        tags,
        summary: "Videos by state, premium, labels and search, sorted by any column",
        querystring: adminVideoQuery,
        response: { 200: videoList },
      },
    },
    (request) => adminVideos.list(request.query),
  );

  app.put(
    "/api/admin/videos/:id/schedule",
    {
      config: { policy: "admin" },
      schema: {
        tags,
        summary: "Plan the publication, or take the plan back with null",
        params,
        body: scheduleBody,
        response: { 200: video },
      },
    },
    (request) => {
      const { publishAt } = request.body;
      const at = publishAt === null ? null : new Date(publishAt);
      return adminVideos.schedule(request.params.id, at, actorOf(request));
    },
  );

  registerThumbnail(app, deps);
  registerBulk(app, deps);
}

function registerThumbnail(app: App, { storage, thumbnails }: Deps): void {
  void app.register(async (scope) => {
    // The picture itself is the body, whatever it is called; its bytes decide.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.put(
      "/api/admin/videos/:id/thumbnail",
      {
        config: { policy: "admin" },
        bodyLimit: limits.maxThumbnailBytes + 1,
        schema: {
          tags: ["admin videos"],
          summary: "Another thumbnail: the picture is the body (JPEG, PNG, WebP; at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
        },
      },
      async (request) => {
        const { id } = params.parse(request.params);
        await using scratch = await storage.makeScratch();
        const path = `${scratch.path}/picture`;
        if (!(request.body instanceof Readable)) {
          throw new AppError("invalid", "Send the picture as the body.");
        }
        await receiveToFile(request.body, path, { maxBytes: limits.maxThumbnailBytes });
        return video.parse(await thumbnails.replace(id, path, actorOf(request)));
      },
    );
  });
}

function registerBulk(app: App, { bulk }: Deps): void {
  const tags = ["bulk actions"];

  app.get(
    "/api/admin/bulk",
    {
      config: { policy: "admin" },
      schema: { tags, summary: "The last ones", response: { 200: z.array(bulkJob) } },
    },
    () => bulk.list(),
  );

  app.post(
    "/api/admin/bulk",
    {
      config: { policy: "admin" },
      schema: {
        tags,
        summary: "Do something to ticked videos or to all that match a filter",
        body: bulkRequest,
        response: { 202: bulkJob },
      },
    },
    async (request, reply) =>
      reply.status(202).send(await bulk.start(request.body, actorOf(request))),
  );

  app.get(
    "/api/admin/bulk/:id",
    {
      config: { policy: "admin" },
      schema: { tags, summary: "How far one is", params, response: { 200: bulkJob } },
    },
    (request) => bulk.get(request.params.id),
  );

  app.post(
    "/api/admin/bulk/:id/cancel",
    {
      config: { policy: "admin" },
      schema: {
        tags,
        summary: "Stop it; what is done stays done",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.cancel(request.params.id, actorOf(request)),
  );
}
