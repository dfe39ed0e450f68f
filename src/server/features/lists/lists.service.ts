import type { AdminVideoQuery } from "../../../contract/admin-videos.ts";
import type { VideoList, VideoListQuery } from "../../../contract/videos.ts";
import type { Viewer } from "../../http/access/viewer.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { IdPage, VideoLists } from "./video-lists.service.ts";

export interface ListsService {
  /** One page of videos. @throws AppError invalid for a cursor of another list. */
  list(query: Partial<VideoListQuery>, viewer: Viewer): Promise<VideoList>;
  /** One page for the back office: more filters and orders. */
  listForAdmin(query: AdminVideoQuery): Promise<VideoList>;
}

export function createListsService(deps: {
  videoLists: Pick<VideoLists, "listIds" | "listAdminIds">;
  videos: Pick<VideosService, "listByIds">;
}): ListsService {
  const { videoLists, videos } = deps;

  async function hydrate({ ids, total, nextCursor }: IdPage, viewer: Viewer): Promise<VideoList> {
    return { videos: await videos.listByIds(ids, viewer), total, nextCursor };
  }

  return {
    list: async (query, viewer) => hydrate(await videoLists.listIds(query, viewer), viewer),
    listForAdmin: async (query) => hydrate(await videoLists.listAdminIds(query), { isAdmin: true }),
  };
}
