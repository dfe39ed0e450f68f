import { adminVideoQuery } from "../../../contract/admin-videos.ts";
import { videoList } from "../../../contract/videos.ts";
import type { App } from "../../http/app.ts";
import type { AdminVideosService } from "./admin-videos.service.ts";

/** The list of the back office: more filters and orders than the site's own. */
export function registerAdminVideoRoutes(
  app: App,
  { adminVideos }: { adminVideos: AdminVideosService },
): void {
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
}
