import type { Feature } from "../../http/feature.ts";
import { createMediaAccess, type MediaAccess } from "./media-access.ts";
import { registerVideoRoutes } from "./videos.routes.ts";
import { createVideosService, type VideosService } from "./videos.service.ts";

export function createLibraryFeature(
  deps: Parameters<typeof createVideosService>[0],
): Feature & { videos: VideosService; mediaAccess: MediaAccess } {
  const videos = createVideosService(deps);
  return {
    videos,
    mediaAccess: createMediaAccess(deps),
    registerRoutes: (app) => registerVideoRoutes(app, { videos }),
  };
}
