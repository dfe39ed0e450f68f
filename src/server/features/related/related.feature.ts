import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { VideoLists } from "../lists/video-lists.service.ts";
import { registerRelatedRoutes } from "./related.routes.ts";
import {
  createRelatedService,
  createRelatedVideos,
  type RelatedService,
} from "./related.service.ts";

export function createRelatedFeature(deps: {
  db: Db;
  videos: VideosService;
  videoLists: VideoLists;
}): Feature & { related: RelatedService } {
  const relatedVideos = createRelatedVideos({ db: deps.db, lists: deps.videoLists });
  const related = createRelatedService({ ...deps, relatedVideos });
  return { related, registerRoutes: (app) => registerRelatedRoutes(app, { related }) };
}
