import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { createLabelTops, type LabelTops } from "./label-tops.service.ts";
import { registerListRoutes } from "./lists.routes.ts";
import { createListsService, type ListsService } from "./lists.service.ts";
import { registerRankRoutes } from "./rank.routes.ts";
import { createRankService } from "./rank.service.ts";
import type { TextSearch } from "./text-search.ts";
import { createVideoLists, type VideoLists } from "./video-lists.service.ts";

export function createListsFeature(deps: {
  db: Db;
  reads: Db;
  clock: Clock;
  labels: Pick<LabelsService, "findId">;
  search: TextSearch;
  videos: VideosService;
}): Feature & { lists: ListsService; videoLists: VideoLists; labelTops: LabelTops } {
  const videoLists = createVideoLists(deps);
  const lists = createListsService({ ...deps, videoLists });
  const ranks = createRankService(deps);
  return {
    lists,
    videoLists,
    labelTops: createLabelTops(deps),
    registerRoutes(app) {
      registerListRoutes(app, { lists });
      registerRankRoutes(app, { ranks });
    },
  };
}
