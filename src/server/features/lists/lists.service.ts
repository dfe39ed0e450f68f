import type { AdminVideoQuery } from "../../../contract/admin-videos.ts";
import type { VideoList, VideoListQuery } from "../../../contract/videos.ts";
import type { Viewer } from "../../http/access/viewer.ts";
import { videoOf, videoText, type ShownVideo } from "../library/video-store/shown-video.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { IdPage, VideoLists } from "./video-lists.service.ts";

export interface ListsService {
  /** One page of videos. @throws AppError invalid for a cursor of another list. */
  list(query: Partial<VideoListQuery>, viewer: Viewer): Promise<VideoList>;
  /** The JSON of the same as visitors see it. */
  listText(query: Partial<VideoListQuery>): Promise<string>;
  /** One page for the back office: more filters and orders. */
  listForAdmin(query: AdminVideoQuery): Promise<VideoList>;
}

const admin = { isAdmin: true };

export function createListsService(deps: {
  videoLists: Pick<VideoLists, "listIds" | "listAdminIds">;
  videos: Pick<VideosService, "listByIds" | "listListed">;
}): ListsService {
  const { videoLists, videos } = deps;

  async function listListed(
    query: Partial<VideoListQuery>,
  ): Promise<Omit<IdPage, "ids" | "counts"> & { found: ShownVideo[] }> {
    const { ids, counts, total, nextCursor } = await videoLists.listIds(query, { isAdmin: false });
    return { found: await videos.listListed(ids, counts), total, nextCursor };
  }

  async function listAll({ ids, total, nextCursor }: IdPage): Promise<VideoList> {
    return { videos: await videos.listByIds(ids, admin), total, nextCursor };
  }

  return {
    async list(query, viewer) {
      if (viewer.isAdmin) return listAll(await videoLists.listIds(query, viewer));
      const { found, total, nextCursor } = await listListed(query);
      return { videos: found.map((video) => videoOf(video)), total, nextCursor };
    },

    async listText(query) {
      const { found, total, nextCursor } = await listListed(query);
      const texts = found.map((video) => videoText(video)).join(",");
      return `{"videos":[${texts}],"total":${total},"nextCursor":${JSON.stringify(nextCursor)}}`;
    },

    listForAdmin: async (query) => listAll(await videoLists.listAdminIds(query)),
  };
}
