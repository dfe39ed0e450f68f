import { limits } from "../../../contract/limits.ts";
import type { Video } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { Viewer } from "../../http/access/viewer.ts";
import type { VideosService } from "../library/videos.service.ts";
import { pickRelated } from "./related.ts";
import { listActorsAndCategory, listRelatedCandidates } from "./related.repository.ts";
import type { VideoLists } from "../lists/video-lists.service.ts";

/** How many trending videos may fill a list: more than are ever left out. */
const fillCount = 24;

export interface RelatedVideos {
  /** Ids of the most related listed videos, best first; never the video itself. */
  listIds(videoId: string, count: number): Promise<string[]>;
}

export function createRelatedVideos(deps: {
  db: Db;
  lists: Pick<VideoLists, "listTrendingIds">;
}): RelatedVideos {
  const { db, lists } = deps;

  /** Trending videos of the first category, then of the whole site. */
  async function listFill(videoId: string): Promise<{ id: string; actorIds: string[] }[]> {
    const own = await listActorsAndCategory(db, [videoId]);
    const categoryId = own.get(videoId)?.categoryId ?? null;
    const [inCategory, anywhere] = await Promise.all([
      categoryId === null ? [] : lists.listTrendingIds({ categories: categoryId }, fillCount),
      lists.listTrendingIds({}, fillCount),
    ]);
    const ids = [...new Set([...inCategory, ...anywhere])].filter((id) => id !== videoId);
    const actors = await listActorsAndCategory(db, ids);
    return ids.map((id) => ({ id, actorIds: actors.get(id)?.actorIds ?? [] }));
  }

  return {
    async listIds(videoId, count) {
      const candidates = await listRelatedCandidates(db, videoId);
      // Usually enough videos are related, and nothing has to be filled in.
      const picked = pickRelated(candidates, [], count, { isStrict: true });
      if (picked.length >= count) return picked;
      return pickRelated(candidates, await listFill(videoId), count);
    },
  };
}

export interface RelatedService {
  /** The related videos that visitors may see. @throws AppError not_found. */
  list(idOrSlug: string, viewer: Viewer): Promise<Video[]>;
}

export function createRelatedService(deps: {
  relatedVideos: RelatedVideos;
  videos: Pick<VideosService, "getId" | "listByIds">;
}): RelatedService {
  const { relatedVideos, videos } = deps;
  return {
    async list(idOrSlug, viewer) {
      const id = await videos.getId(idOrSlug, viewer);
      const ids = await relatedVideos.listIds(id, limits.relatedCount);
      return videos.listByIds(ids, { isAdmin: false });
    },
  };
}
