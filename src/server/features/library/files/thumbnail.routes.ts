import { Readable } from "node:stream";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { limits } from "../../../../contract/limits.ts";
import { video, videoParams } from "../../../../contract/videos.ts";
import { actorOf } from "../../../http/access/actor.ts";
import type { App } from "../../../http/app.ts";
import { AppError } from "../../../lib/app-error.ts";
import { receiveToFile, tooLargeMessage } from "../../../storage/receive-file.ts";
import type { Storage } from "../../../storage/storage.ts";
import type { ThumbnailService } from "./thumbnail.service.ts";

export function registerThumbnailRoutes(
  app: App,
  { storage, thumbnails }: { storage: Storage; thumbnails: ThumbnailService },
): void {
  void app.register(async (scope) => {
    // The body is the picture itself; its bytes, not its content type, say what it is.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.withTypeProvider<ZodTypeProvider>().put(
      "/api/admin/videos/:id/thumbnail",
      {
        config: {
          policy: "content.edit",
          isUpload: true,
          tooLargeMessage: tooLargeMessage(limits.maxThumbnailBytes),
        },
        bodyLimit: limits.maxThumbnailBytes + 1,
        schema: {
          tags: ["admin videos"],
          params: videoParams,
          summary: "Replace the thumbnail: the picture is the body (JPEG, PNG, WebP; at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
        },
      },
      async (request) => {
        await using scratch = await storage.createScratch();
        const path = `${scratch.path}/picture`;
        if (!(request.body instanceof Readable)) {
          throw new AppError("invalid", "Send the picture as the body.");
        }
        await receiveToFile(request.body, path, { maxBytes: limits.maxThumbnailBytes });
        return video.parse(await thumbnails.replace(request.params.id, path, actorOf(request)));
      },
    );
  });
}
