import type { AdminVideoQuery } from "#contract/videos/admin-videos.ts";
import type { VideoReason } from "#server/lib/video-reasons.ts";
import type { Video, VideoList, VideoListQuery } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import { reasonFields, type ReasonFields } from "#server/lib/video-reasons.ts";
import type { IdPage, ListSkeletons } from "./list-skeletons.ts";
import {
  searchReason,
  spokenReason,
  trendingReason,
  wordsOfVideo,
  type ListReason,
} from "./list-reasons.ts";
import type { CreatePipeline, Pipeline, Reasons } from "./pipeline.ts";
import type { TextSearch } from "./text-search.ts";
import type { TextMatch } from "./video-filter.sql.ts";
import { listRangeCounts } from "./video-list.repository.ts";

type Query = Partial<VideoListQuery>;
type MoreFields = Partial<ReasonFields> & Pick<ListReason, "foundAtS">;

export interface ListsService {
  /**
   * Returns a page of all videos, of a label's videos or of search results. Admins also see drafts.
   * @throws AppError invalid for a cursor of another list.
   */
  list: Pipeline<Query, VideoList>;
  /** Returns a page for the back office. It has more filters and sorts. */
  listForAdmin: Pipeline<AdminVideoQuery, VideoList>;
}

export function createListsService(deps: {
  db: Db;
  createPipeline: CreatePipeline;
  skeletons: ListSkeletons;
  search: TextSearch;
}): ListsService {
  const { db, createPipeline, skeletons, search } = deps;

  /** Returns the corrected spelling, taken from the first video found with it. */
  function findSpelling({ match }: IdPage, first: Video | undefined): string | undefined {
    if (match === undefined || match.spelled === null || first === undefined) return undefined;
    return search.spelledAs(match, wordsOfVideo(first)) ?? undefined;
  }

  async function findTrendingReasons(
    videos: readonly Video[],
    timeRange: NonNullable<Query["timeRange"]>,
  ): Promise<Reasons<ListReason>> {
    if (timeRange === "all") {
      return ({ views }) => trendingReason({ views, points: views }, timeRange);
    }
    const counted = await listRangeCounts(db, idsOf(videos), timeRange);
    return ({ id }) => {
      const counts = counted.get(id);
      return counts === undefined ? {} : trendingReason(counts, timeRange);
    };
  }

  async function findSearchReasons(
    videos: readonly Video[],
    match: TextMatch,
  ): Promise<Reasons<ListReason>> {
    const found = new Map<string, VideoReason>();
    const captionedIds: string[] = [];
    for (const video of videos) {
      const { reason, hasAllWords } = searchReason(match, video);
      found.set(video.id, reason);
      if (!hasAllWords && video.captions !== undefined) captionedIds.push(video.id);
    }
    const spoken = await search.listSpoken(captionedIds, match);
    return ({ id }) => {
      const timeS = spoken.get(id);
      const reason = found.get(id);
      if (timeS !== undefined) return spokenReason(timeS);
      return reason === undefined ? {} : { reason };
    };
  }

  return {
    list: createPipeline({
      skeleton: skeletons.listIds,
      async reasons(videos, { match }, { query: { sort, timeRange = "today" }, viewer }) {
        // Only visitors' lists show reasons.
        if (viewer.isAdmin || videos.length === 0) return withoutReason;
        if (match !== undefined) return withWhy(await findSearchReasons(videos, match));
        if (sort === "trending") return withWhy(await findTrendingReasons(videos, timeRange));
        return withoutReason;
      },
      present(videos, page, { viewer }) {
        const { total, nextCursor } = page;
        const didYouMean = viewer.isAdmin ? undefined : findSpelling(page, videos[0]);
        return { videos, total, nextCursor, didYouMean };
      },
    }),

    listForAdmin: createPipeline({
      skeleton: skeletons.listAdminIds,
      present: (videos, { total, nextCursor }) => ({ videos, total, nextCursor }),
    }),
  };
}

const idsOf = (videos: readonly Video[]) => videos.map(({ id }) => id);
const withoutReason = (): MoreFields => ({});

const withWhy =
  (reasons: Reasons<ListReason>): Reasons<MoreFields> =>
  (video) => {
    const { reason, ...rest } = reasons(video);
    return reason === undefined ? rest : { ...reasonFields(reason), ...rest };
  };
