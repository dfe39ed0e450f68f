import type { VideoList, VideoListQuery } from "../../../contract/videos.ts";
import type { Viewer } from "../../http/viewer.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { VideoLists } from "./video-lists.service.ts";

export interface ListsService {
  /** One page of videos. @throws AppError invalid for a cursor of another list. */
  list(query: Partial<VideoListQuery>, viewer: Viewer): Promise<VideoList>;
}

export function createListsService(deps: {
  videoLists: Pick<VideoLists, "listIds">;
  videos: Pick<VideosService, "listByIds">;
}): ListsService {
  const { videoLists, videos } = deps;
  return {
    async list(query, viewer) {
      const { ids, total, nextCursor } = await videoLists.listIds(query, viewer);
      return { videos: await videos.listByIds(ids, viewer), total, nextCursor };
    },
  };
}
