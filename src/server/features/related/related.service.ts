import { limits } from "../../../contract/limits.ts";
import type { Video } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { VideoCounts } from "../../db/video-counts.ts";
import type { Viewer } from "../../http/access/viewer.ts";
import { videoOf, videoText, type ShownVideo } from "../library/video-store/shown-video.ts";
import type { VideosService } from "../library/videos.service.ts";
import { completeList, pickVaried, type Pickable } from "./related.ts";
import {
  findKept,
  listActorsAndCategory,
  listKept,
  listRelatedCandidates,
  saveKept,
  type KeptRelated,
} from "./related.repository.ts";
import type { VideoLists } from "../lists/video-lists.service.ts";

/** How many trending videos may fill a list: more than are ever left out. */
const fillCount = 24;
/** Twice as many as are shown: some may be unlisted or deleted before the next choice. */
const keptMax = limits.relatedCount * 2;

interface RelatedIds {
  ids: string[];
  counts?: ReadonlyMap<string, VideoCounts>;
}

export interface RelatedVideos {
  /**
   * The most related listed videos, best first; never the video itself. Their counts where these
   * came with the ids.
   */
  list(videoId: string, count: number): Promise<RelatedIds>;
  /** Chooses by what is true now, and keeps the choice. */
  choose(videoId: string): Promise<KeptRelated>;
}

export function createRelatedVideos(deps: {
  db: Db;
  lists: Pick<VideoLists, "listTrendingIds">;
}): RelatedVideos {
  const { db, lists } = deps;
  /** The choice under way for a reader. */
  let choosing: { videoId: string; kept: Promise<KeptRelated> } | null = null;

  async function choose(videoId: string): Promise<KeptRelated> {
    const { picked, left } = pickVaried(await listRelatedCandidates(db, videoId), keptMax);
    const kept = {
      ids: picked.map(({ id }) => id),
      spareIds: left.slice(0, keptMax).map(({ id }) => id),
    };
    await saveKept(db, videoId, kept);
    return kept;
  }

  /** One at a time in a process, so that visits of many unknown videos do not occupy the database. */
  async function chooseOnce(videoId: string): Promise<KeptRelated> {
    if (choosing?.videoId === videoId) return choosing.kept;
    if (choosing !== null) return { ids: [], spareIds: [] };
    choosing = { videoId, kept: choose(videoId) };
    try {
      return await choosing.kept;
    } finally {
      choosing = null;
    }
  }

  /** Trending videos of the first category, then of the whole site. */
  async function listFill(videoId: string): Promise<string[]> {
    const own = await listActorsAndCategory(db, [videoId]);
    const categoryId = own.get(videoId)?.categoryId ?? null;
    const [inCategory, anywhere] = await Promise.all([
      categoryId === null ? [] : lists.listTrendingIds({ categories: categoryId }, fillCount),
      lists.listTrendingIds({}, fillCount),
    ]);
    return [...new Set([...inCategory, ...anywhere])].filter((id) => id !== videoId);
  }

  return {
    async list(videoId, count) {
      const counts = await listKept(db, videoId, count);
      if (counts.size === count) return { ids: [...counts.keys()], counts };
      const { ids, spareIds } = (await findKept(db, videoId)) ?? (await chooseOnce(videoId));
      if (ids.length >= count) return { ids: ids.slice(0, count) };
      const fill = await listFill(videoId);
      const known = await listActorsAndCategory(db, [...ids, ...spareIds, ...fill]);
      const withActors = (list: string[]): Pickable[] =>
        list.map((id) => ({ id, actorIds: known.get(id)?.actorIds ?? [] }));
      return { ids: completeList(withActors(ids), withActors(spareIds), withActors(fill), count) };
    },

    choose,
  };
}

export interface RelatedService {
  /** The related videos that visitors may see. @throws AppError not_found. */
  list(idOrSlug: string, viewer: Viewer): Promise<Video[]>;
  /** The JSON of the same. */
  listText(idOrSlug: string, viewer: Viewer): Promise<string>;
}

export function createRelatedService(deps: {
  relatedVideos: RelatedVideos;
  videos: Pick<VideosService, "getId" | "listListed">;
}): RelatedService {
  const { relatedVideos, videos } = deps;

  async function listShown(idOrSlug: string, viewer: Viewer): Promise<ShownVideo[]> {
    const id = await videos.getId(idOrSlug, viewer);
    const { ids, counts } = await relatedVideos.list(id, limits.relatedCount);
    return videos.listListed(ids, counts);
  }

  return {
    list: async (idOrSlug, viewer) =>
      (await listShown(idOrSlug, viewer)).map((video) => videoOf(video)),
    listText: async (idOrSlug, viewer) => {
      const texts = (await listShown(idOrSlug, viewer)).map((video) => videoText(video));
      return `[${texts.join(",")}]`;
    },
  };
}
