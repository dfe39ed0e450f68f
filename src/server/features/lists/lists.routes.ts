import { videoList, videoListQuery } from "../../../contract/videos.ts";
import type { App } from "../../http/app.ts";
import { viewerOf } from "../../http/viewer.ts";
import type { ListsService } from "./lists.service.ts";

const tags = ["videos"];

export function registerListRoutes(app: App, { lists }: { lists: ListsService }): void {
  app.get(
    "/api/videos",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags,
        summary: "Videos by filter and sort; drafts too for an admin",
        querystring: videoListQuery,
        response: { 200: videoList },
      },
    },
    (request) => lists.list(request.query, viewerOf(request)),
  );
}
