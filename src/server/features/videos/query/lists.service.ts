import type { AdminVideoQuery } from "#contract/videos/admin-videos.ts";
import { clockTime } from "#server/lib/time-codes.ts";
import { type VideoReason, reasonFields, type ReasonFields } from "#server/lib/video-reasons.ts";
import type { ListedVideo, Video, VideoList, VideoListQuery } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import type { TimeRange } from "#contract/limits.ts";
import type { IdPage, ListSkeletons } from "./list-skeletons.ts";
import type { CreatePipeline, Pipeline, Reasons } from "./pipeline.ts";
import type { TextSearch } from "./text-search.ts";
import type { TextMatch } from "./video-filter.sql.ts";
import { listRangeCounts, type RangeCounts } from "./video-list.repository.ts";

type Query = Partial<VideoListQuery>;
type MoreFields = Partial<ReasonFields> &
  Pick<ListReason, "foundAtS"> & { part?: NonNullable<ListedVideo["part"]> };

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
  async function findSpelling({ match }: IdPage, first?: Video): Promise<string | undefined> {
    if (match === undefined || match.spelled === null || first === undefined) return undefined;
    return (await search.spelledAs(match, namesOf(first))) ?? undefined;
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
    const fields = await search.listFields(idsOf(videos), match);
    // Captions count only if the other fields lack words.
    const captioned = videos.filter(
      ({ id, captions }) => captions !== undefined && fields.get(id)?.hasAllWords !== true,
    );
    const spoken = await search.listSpoken(idsOf(captioned), match);
    const similar = { kind: match.kind === "titles" ? "similarTitle" : "similarWords" } as const;
    return ({ id }) => {
      const timeS = spoken.get(id);
      if (timeS !== undefined) return spokenReason(timeS);
      return { reason: fields.get(id)?.reason ?? similar };
    };
  }

  return {
    list: createPipeline({
      skeleton: skeletons.listIds,
      async reasons(
        videos,
        { ids, match, series },
        { query: { sort, timeRange = "today" }, viewer },
      ) {
        if (series !== undefined) {
          const numbers = new Map(ids.map((id, at) => [id, series.offset + at + 1]));
          return ({ id }) => ({ part: { number: numbers.get(id) ?? 0, in: series.key } });
        }
        // Only visitors' lists show reasons.
        if (viewer.isAdmin || videos.length === 0) return withoutReason;
        if (match !== undefined) return withWhy(await findSearchReasons(videos, match));
        if (sort === "trending") return withWhy(await findTrendingReasons(videos, timeRange));
        return withoutReason;
      },
      async present(videos, page, { viewer }) {
        const { total, nextCursor } = page;
        const didYouMean = viewer.isAdmin ? undefined : await findSpelling(page, videos[0]);
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

const rangeNames = { today: "Today", week: "Week", month: "Month", all: "All" } as const;

/**
 * Returns why a video trends: its views, or its viewers' actions if they weigh more. Returns
 * nothing if it has neither and only fills the list of a quiet site.
 */
export function trendingReason({ views, points }: RangeCounts, range: TimeRange): ListReason {
  const rest = points - views;
  if (rest > views) return { reason: { kind: `points${rangeNames[range]}`, count: rest } };
  return views > 0 ? { reason: { kind: `views${rangeNames[range]}`, count: views } } : {};
}

const namesOf = ({ title, actors, tags, categories }: Video): string[] => [
  title,
  ...actors.map(({ actor }) => actor.name),
  ...tags.map(({ tag }) => tag.name),
  ...categories.map(({ category }) => category.name),
];

/** Reason shown for a video in a list. */
export interface ListReason {
  reason?: VideoReason;
  /** Time at which the words are spoken, in seconds. */
  foundAtS?: number;
}

/** Returns the reason for words found in captions. @param timeS their time in seconds. */
const spokenReason = (timeS: number): ListReason => ({
  reason: { kind: "spoken", name: clockTime(timeS) },
  foundAtS: timeS,
});
