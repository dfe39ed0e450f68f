import { limits } from "#contract/limits.ts";
import { type VideoReason, reasonFields } from "#server/lib/video-reasons.ts";
import type { ListedVideo, Video } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { completeList, pickVaried, type Pickable, type RelatedReason } from "./related.ts";
import {
  findKept,
  listCoWatched,
  listActorsAndCategory,
  listRelatedCandidates,
  saveKept,
  type KeptRelated,
} from "./related.repository.ts";

/** Number of trending videos available to fill a list. It is larger than any list. */
const fillCount = 24;
/** Twice the number shown, because some may be unlisted or deleted before the next choice. */
const keptMax = limits.relatedCount * 2;

interface RelatedIds {
  ids: string[];
  reasons: ReadonlyMap<string, RelatedReason>;
}

export function createRelatedVideos(deps: { db: Db; lists: ListSkeletons }) {
  const { db, lists } = deps;
  /** Choice that is being computed for a reader. */
  let choosing: { videoId: string; choice: Promise<KeptRelated> } | null = null;

  /** Chooses from the current data and stores the choice. */
  async function choose(videoId: string): Promise<KeptRelated> {
    const watched = await listCoWatched(db, videoId);
    const candidates = await listRelatedCandidates(db, videoId, watched);
    const { picked, left } = pickVaried(candidates, keptMax);
    const choice = {
      ids: picked.map(({ id }) => id),
      spareIds: left.slice(0, keptMax).map(({ id }) => id),
      reasons: new Map(candidates.map(({ id, reason }) => [id, reason])),
    };
    await saveKept(db, videoId, choice, watched.videos);
    return choice;
  }

  /**
   * Runs one choice at a time per process, so that visits to many unknown videos don't keep the
   * database busy.
   */
  async function chooseOnce(videoId: string): Promise<KeptRelated> {
    if (choosing?.videoId === videoId) return choosing.choice;
    if (choosing !== null) return { ids: [], spareIds: [], reasons: new Map() };
    choosing = { videoId, choice: choose(videoId) };
    try {
      return await choosing.choice;
    } finally {
      choosing = null;
    }
  }

  /** Returns trending videos of the first category, then of the whole site. */
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
    /** Returns the most related listed videos, best first, never the video itself. */
    async list(videoId: string, count: number): Promise<RelatedIds> {
      const { ids, spareIds, reasons } =
        (await findKept(db, videoId)) ?? (await chooseOnce(videoId));
      if (ids.length >= count) return { ids: ids.slice(0, count), reasons };
      const fill = await listFill(videoId);
      const details = await listActorsAndCategory(db, [...ids, ...spareIds, ...fill]);
      const withActors = (list: string[]): Pickable[] =>
        list.map((id) => ({ id, actorIds: details.get(id)?.actorIds ?? [] }));
      const complete = completeList(withActors(ids), withActors(spareIds), withActors(fill), count);
      return { ids: complete, reasons };
    },

    choose,
  };
}

export type RelatedVideos = ReturnType<typeof createRelatedVideos>;

export function createRelatedService(deps: {
  relatedVideos: RelatedVideos;
  videos: VideosService;
  createPipeline: CreatePipeline;
}) {
  const { relatedVideos, videos, createPipeline } = deps;
  const visitor = { isAdmin: false };

  const list = createPipeline({
    skeleton: (videoId: string) => relatedVideos.list(videoId, limits.relatedCount),
    reasons:
      async (_videos, { reasons }) =>
      (video) =>
        reasonFields(shownReason(reasons.get(video.id) ?? "trending", video)),
    present: (shown): ListedVideo[] => shown,
  });

  return {
    /** Returns the related videos that visitors may see. @throws AppError not_found. */
    // Admins see related videos for a draft, but none of these are drafts.
    list: async (idOrSlug: string, viewer: Viewer): Promise<ListedVideo[]> =>
      list(await videos.getId(idOrSlug, viewer), visitor),
  };
}

export type RelatedService = ReturnType<typeof createRelatedService>;

/** Converts the reason to the contract's form. */
function shownReason(reason: RelatedReason, { tags }: Video): VideoReason {
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
      const name = tags.find(({ tag }) => tag.id === id)?.tag.name;
      return name === undefined ? { kind: "sameTags" } : { kind: "sameTag", name: `#${name}` };
    }
  }
}
