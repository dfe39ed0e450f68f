import { scheduleBody } from "#contract/videos/admin-videos.ts";
import { video, videoParams as params } from "#contract/videos/videos.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import type { SchedulingService } from "./scheduling.service.ts";

const tags = ["admin videos"];

export function registerSchedulingRoutes(
  app: App,
  { scheduling }: { scheduling: SchedulingService },
): void {
  app.put(
    "/api/admin/videos/:id/schedule",
    {
      config: { policy: "content.publish" },
      schema: {
        tags,
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
}
