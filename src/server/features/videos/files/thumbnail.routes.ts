import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { video, videoParams } from "#contract/videos/videos.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { ThumbnailService } from "./thumbnail.service.ts";

export function registerThumbnailRoutes(
  app: App,
  { storage, thumbnails }: { storage: Storage; thumbnails: ThumbnailService },
): void {
  void app.register(async (scope) => {
    keepBodies(scope);
    scope.withTypeProvider<ZodTypeProvider>().put(
      "/api/admin/videos/:id/thumbnail",
      {
        ...pictureRoute,
        config: { ...pictureRoute.config, policy: "content.edit" },
        schema: {
          tags: ["admin videos"],
          params: videoParams,
          summary:
            "Replace the thumbnail; the body is the picture (JPEG, PNG or WebP, at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
        },
      },
      (request) =>
        withPicture(request, storage, async (path) =>
          video.parse(await thumbnails.replace(request.params.id, path, actorOf(request))),
        ),
    );
  });
}
