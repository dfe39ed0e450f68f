import { video, videoParams as params } from "#contract/videos/videos.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import type { ReplacementsService } from "./replacements.service.ts";

export function registerReplacementRoutes(
  app: App,
  { replacements }: { replacements: ReplacementsService },
): void {
  app.delete(
    "/api/admin/videos/:id/file",
    {
      config: { policy: "content.edit" },
      schema: {
        tags: ["admin videos"],
        summary: "Cancel a replacement or reprocessing; the old files stay",
        params,
        response: { 200: video },
      },
    },
    (request) => replacements.cancel(request.params.id, actorOf(request)),
  );
}
