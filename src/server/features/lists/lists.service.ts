import type { AdminVideoQuery } from "#contract/videos/admin-videos.ts";
import type { VideoList, VideoListQuery } from "#contract/videos/videos.ts";
import type { VideoReason } from "#contract/videos/video-reasons.ts";
import type { Db } from "#server/db/connection.ts";
import type { TextMatch } from "#server/db/video-filter.ts";
import type { Viewer } from "#server/http/access/viewer.ts";
import { whyFields } from "#server/lib/why-fields.ts";
import {
  videoOf,
  videoText,
  type ShownVideo,
} from "#server/features/videos/video-store/shown-video.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import {
  searchReason,
  spokenReason,
  trendingReason,
  wordsOfVideo,
  type ListReason,
} from "./list-reasons.ts";
import type { TextSearch } from "./text-search.ts";
import { listRangeCounts } from "./video-list.repository.ts";
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

const reasonFields = ({ reason, ...rest }: ListReason) => ({
  ...(reason === undefined ? {} : whyFields(reason)),
  ...rest,
});

export function createListsService(deps: {
  db: Db;
  videoLists: Pick<VideoLists, "listIds" | "listAdminIds">;
  videos: Pick<VideosService, "listByIds" | "listListed">;
  search: Pick<TextSearch, "spelledAs" | "listSpoken">;
}): ListsService {
  const { db, videoLists, videos, search } = deps;

  async function listListed(query: Partial<VideoListQuery>): Promise<{
    found: ShownVideo[];
    /** Why each is in the list, where the list is ranked. */
    reasonOf: (video: ShownVideo) => ListReason;
    total: number;
    nextCursor: string | null;
    didYouMean: string | undefined;
  }> {
    const page = await videoLists.listIds(query, { isAdmin: false });
    const { ids, counts, total, nextCursor } = page;
    const found = await videos.listListed(ids, counts);
    const reasonOf = await findReasons(query, page, found);
    return { found, reasonOf, total, nextCursor, didYouMean: findSpelling(page, found[0]) };
  }

  /** Other words than those that were typed, from the first video that was found with them. */
  function findSpelling({ match }: IdPage, first: ShownVideo | undefined): string | undefined {
    if (match === undefined || match.spelled === null || first === undefined) return undefined;
    return search.spelledAs(match, wordsOfVideo(videoOf(first))) ?? undefined;
  }

  async function findReasons(
    { sort, timeRange = "today" }: Partial<VideoListQuery>,
    { ids, match }: IdPage,
    found: readonly ShownVideo[],
  ): Promise<(video: ShownVideo) => ListReason> {
    if (match !== undefined) return findSearchReasons(match, found);
    if (sort !== "trending" || ids.length === 0) return () => ({});
    if (timeRange === "all") {
      return ({ counts: { views } }) => trendingReason({ views, points: views }, timeRange);
    }
    const counted = await listRangeCounts(db, ids, timeRange);
    return ({ stored: { id } }) => {
      const counts = counted.get(id);
      return counts === undefined ? {} : trendingReason(counts, timeRange);
    };
  }

  async function findSearchReasons(
    match: TextMatch,
    found: readonly ShownVideo[],
  ): Promise<(video: ShownVideo) => ListReason> {
    const reasons = new Map<string, VideoReason>();
    const maySay: string[] = [];
    for (const video of found) {
      const fields = videoOf(video);
      const { reason, hasAllWords } = searchReason(match, fields);
      reasons.set(fields.id, reason);
      if (!hasAllWords && fields.captions !== undefined) maySay.push(fields.id);
    }
    const spoken = await search.listSpoken(maySay, match);
    return ({ stored: { id } }) => {
      const timeS = spoken.get(id);
      const reason = reasons.get(id);
      if (timeS !== undefined) return spokenReason(timeS);
      return reason === undefined ? {} : { reason };
    };
  }

  async function listAll({ ids, total, nextCursor }: IdPage): Promise<VideoList> {
    return { videos: await videos.listByIds(ids, admin), total, nextCursor };
  }

  return {
    async list(query, viewer) {
      if (viewer.isAdmin) return listAll(await videoLists.listIds(query, viewer));
      const { found, reasonOf, ...rest } = await listListed(query);
      const shown = found.map((video) => ({ ...videoOf(video), ...reasonFields(reasonOf(video)) }));
      return { videos: shown, ...rest };
    },

    async listText(query) {
      const { found, reasonOf, ...rest } = await listListed(query);
      const texts = found
        .map((video) => {
          const reason = JSON.stringify(reasonFields(reasonOf(video))).slice(1, -1);
          return videoText(video, false, reason === "" ? "" : `,${reason}`);
        })
        .join(",");
      // The rest has no list of its own: its JSON goes on behind the videos.
      return `{"videos":[${texts}],${JSON.stringify(rest).slice(1)}`;
    },

    listForAdmin: async (query) => listAll(await videoLists.listAdminIds(query)),
  };
}
