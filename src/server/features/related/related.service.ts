import { limits } from "#contract/limits.ts";
import type { VideoReason } from "#contract/videos/video-reasons.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { VideoCounts } from "#server/db/video-counts.ts";
import type { Viewer } from "#server/http/access/viewer.ts";
import { whyFields, whyJson } from "#server/lib/why-fields.ts";
import {
  videoOf,
  videoText,
  type ShownVideo,
} from "#server/features/videos/video-store/shown-video.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { completeList, pickVaried, type Pickable, type RelatedReason } from "./related.ts";
import {
  findKept,
  listCoWatched,
  listActorsAndCategory,
  listKept,
  listRelatedCandidates,
  saveKept,
  type KeptRelated,
} from "./related.repository.ts";
import type { VideoLists } from "#server/features/lists/video-lists.service.ts";

/** How many trending videos may fill a list: more than are ever left out. */
const fillCount = 24;
/** Twice as many as are shown: some may be unlisted or deleted before the next choice. */
const keptMax = limits.relatedCount * 2;

interface RelatedIds {
  ids: string[];
  reasons: ReadonlyMap<string, RelatedReason>;
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
    const watched = await listCoWatched(db, videoId);
    const candidates = await listRelatedCandidates(db, videoId, watched);
    const { picked, left } = pickVaried(candidates, keptMax);
    const kept = {
      ids: picked.map(({ id }) => id),
      spareIds: left.slice(0, keptMax).map(({ id }) => id),
      reasons: new Map(candidates.map(({ id, reason }) => [id, reason])),
    };
    await saveKept(db, videoId, kept, watched.videos);
    return kept;
  }

  /** One at a time in a process, so that visits of many unknown videos do not occupy the database. */
  async function chooseOnce(videoId: string): Promise<KeptRelated> {
    if (choosing?.videoId === videoId) return choosing.kept;
    if (choosing !== null) return { ids: [], spareIds: [], reasons: new Map() };
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
      if (counts.size === count) {
        const reasons = new Map([...counts].map(([id, { reason }]) => [id, reason]));
        return { ids: [...counts.keys()], counts, reasons };
      }
      const { ids, spareIds, reasons } =
        (await findKept(db, videoId)) ?? (await chooseOnce(videoId));
      if (ids.length >= count) return { ids: ids.slice(0, count), reasons };
      const fill = await listFill(videoId);
      const known = await listActorsAndCategory(db, [...ids, ...spareIds, ...fill]);
      const withActors = (list: string[]): Pickable[] =>
        list.map((id) => ({ id, actorIds: known.get(id)?.actorIds ?? [] }));
      const complete = completeList(withActors(ids), withActors(spareIds), withActors(fill), count);
      return { ids: complete, reasons };
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

  async function listShown(
    idOrSlug: string,
    viewer: Viewer,
  ): Promise<{ video: ShownVideo; reason: VideoReason }[]> {
    const id = await videos.getId(idOrSlug, viewer);
    const { ids, counts, reasons } = await relatedVideos.list(id, limits.relatedCount);
    const shown = await videos.listListed(ids, counts);
    return shown.map((video) => ({
      video,
      reason: shownReason(reasons.get(video.stored.id) ?? "trending", video),
    }));
  }

  return {
    list: async (idOrSlug, viewer) =>
      (await listShown(idOrSlug, viewer)).map(({ video, reason }) => ({
        ...videoOf(video),
        ...whyFields(reason),
      })),
    listText: async (idOrSlug, viewer) => {
      const texts = (await listShown(idOrSlug, viewer)).map(({ video, reason }) =>
        videoText(video, false, whyJson(reason)),
      );
      return `[${texts.join(",")}]`;
    },
  };
}

/** What visitors are told. */
function shownReason(reason: RelatedReason, video: ShownVideo): VideoReason {
  switch (reason) {
    case "watched":
      return { kind: "viewers" };
    case "actors":
      return { kind: "sameActor" };
    case "categories":
      return { kind: "sameCategory" };
    case "title":
      return { kind: "similarTitle" };
    case "trending":
      return { kind: "trending" };
    default: {
      const id = reason.slice("tag:".length);
      const name = videoOf(video).tags.find(({ tag }) => tag.id === id)?.tag.name;
      return name === undefined ? { kind: "sameTags" } : { kind: "sameTag", name: `#${name}` };
    }
  }
}
