import { relatedList, videoParams as params } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/viewer.ts";
import type { RelatedService } from "./related.service.ts";

const tags = ["videos"];

export function registerRelatedRoutes(app: App, { related }: { related: RelatedService }): void {
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
