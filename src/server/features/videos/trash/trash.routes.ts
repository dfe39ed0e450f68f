import { clipFateQuery } from "#contract/videos/clips.ts";
import {
  emptiedTrash,
  trashList,
  trashParams as params,
  trashQuery,
} from "#contract/videos/trash.ts";
import { video } from "#contract/videos/videos.ts";
import { actorOf, requireAction } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { sendPieces } from "#server/http/send-pieces.ts";
import type { TrashService } from "./trash.service.ts";

export function registerTrashRoutes(app: App, { trash }: { trash: TrashService }): void {
  const config = { policy: "content.remove" } as const;
  const tags = ["admin videos"];

  app.get(
    "/api/admin/trash",
    {
      config,
      schema: {
        tags,
        summary: "List removed videos that can be restored, latest first",
        querystring: trashQuery,
        response: { 200: trashList },
      },
    },
    (request) => trash.list(request.query),
  );

  app.get(
    "/api/admin/trash/:id/thumbnail",
    { config, schema: { tags, summary: "Get the thumbnail of a removed video", params } },
    async (request, reply) => {
      const object = await trash.openThumbnail(request.params.id);
      try {
        const { contentType, sizeBytes } = object.stat;
        void reply.headers({ "content-type": contentType, "content-length": sizeBytes });
        await sendPieces(reply, object.pieces({ start: 0, end: sizeBytes - 1 }));
        return reply;
      } finally {
        object.close();
      }
    },
  );

  app.post(
    "/api/admin/trash/:id/restore",
    {
      config,
      schema: { tags, summary: "Restore a removed video", params, response: { 200: video } },
    },
    (request) =>
      trash.restore(request.params.id, actorOf(request), () =>
        requireAction(request, "content.publish"),
      ),
  );

  app.delete(
    "/api/admin/trash/:id",
    {
      config,
      schema: {
        tags,
        summary: "Permanently delete a removed video and its media, and keep or remove its clips",
        params,
        querystring: clipFateQuery,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await trash.erase(request.params.id, actorOf(request), request.query.clips);
      return reply.status(204).send();
    },
  );

  app.delete(
    "/api/admin/trash",
    {
      config,
      schema: {
        tags,
        summary: "Permanently delete all removed videos and their media",
        querystring: clipFateQuery,
        response: { 200: emptiedTrash },
      },
    },
    async (request) => ({ erased: await trash.eraseAll(actorOf(request), request.query.clips) }),
  );
}
