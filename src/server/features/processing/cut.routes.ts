import { cutBody, cutResult, cutState, undoCutQuery } from "#contract/videos/cut.ts";
import { video, videoParams as params } from "#contract/videos/videos.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { CutsService } from "#server/features/videos/cuts/cuts.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";

const tags = ["admin videos"];

/** Registers the routes that cut a video and undo its cut. */
export function registerCutRoutes(
  app: App,
  {
    cuts,
    captions,
    videos,
  }: { cuts: CutsService; captions: CaptionsService; videos: VideosService },
): void {
  const config = { policy: "content.edit" } as const;
  app.get(
    "/api/admin/videos/:id/cut",
    {
      config,
      schema: {
        tags,
        summary: "Get whether a video can be cut, and whether its cut can be undone",
        params,
        response: { 200: cutState },
      },
    },
    (request) => cuts.getState(request.params.id),
  );

  app.put(
    "/api/admin/videos/:id/cut",
    {
      config,
      schema: {
        tags,
        summary:
          "Cut a video to some of its parts, save them as a draft, or preview what would be lost",
        params,
        body: cutBody,
        response: { 200: cutResult },
      },
    },
    (request) => cuts.cut(request.params.id, request.body, { captions, actor: actorOf(request) }),
  );

  app.delete(
    "/api/admin/videos/:id/cut",
    {
      config,
      schema: {
        tags,
        summary: "Undo the cut of a video",
        params,
        querystring: undoCutQuery,
        response: { 200: video },
      },
    },
    async (request) => {
      const id = await cuts.undo(request.params.id, request.query.version, actorOf(request));
      return videos.get(id, { isAdmin: true });
    },
  );
}
