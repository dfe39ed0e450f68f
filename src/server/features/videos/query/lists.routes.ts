import { adminVideoQuery } from "#contract/videos/admin-videos.ts";
import { videoList, videoListQuery } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/policy.ts";
import type { ListsService } from "./lists.service.ts";

export function registerListRoutes(app: App, { lists }: { lists: ListsService }): void {
  app.get(
    "/api/videos",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags: ["videos"],
        summary: "List videos by filter and sort, including drafts for admins",
        querystring: videoListQuery,
        response: { 200: videoList },
      },
    },
    (request) => lists.list(request.query, viewerOf(request)),
  );

  app.get(
    "/api/admin/videos",
    {
      config: { policy: "content.read" },
      schema: {
        tags: ["admin videos"],
        summary: "List videos by state, premium, labels and search, sorted by any column",
        querystring: adminVideoQuery,
        response: { 200: videoList },
      },
    },
    (request) => lists.listForAdmin(request.query, viewerOf(request)),
  );
}
