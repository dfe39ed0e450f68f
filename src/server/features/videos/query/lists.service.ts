import type { AdminVideoQuery } from "#contract/videos/admin-videos.ts";
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

/** Formats a time as "1:02:03" or "2:03". */
function clockTime(timeS: number): string {
  const parts = [Math.floor(timeS / 3600), Math.floor(timeS / 60) % 60, timeS % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/**
 * Folds text to lower case without accents, as the search does. A Cyrillic й stays a separate
 * letter.
 */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/(?<![иИ])\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");

/** Returns the words of a video's title and labels, folded. */
function wordsOfVideo({ title, actors, tags, categories }: Video): string {
  const labels = [
    ...actors.map(({ actor }) => actor),
    ...tags.map(({ tag }) => tag),
    ...categories.map(({ category }) => category),
  ];
  return fold([title, ...labels.map(({ name }) => name)].join(" "));
}

function countMatches(words: readonly string[], text: string): number {
  const found = fold(text).split(" ");
  return words.filter((word) => found.some((each) => each.startsWith(word))).length;
}

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

/**
 * Returns the field in which a search found a video: the one that contains the most words, and
 * among equal ones the one with the highest weight. Captions count only if no field has all words.
 */
function searchReason(
  match: TextMatch,
  video: Video,
): { reason: VideoReason; hasAllWords: boolean } {
  const texts = match.spelled?.map(({ texts: [text = ""] }) => text) ?? [];
  const typed = match.kind === "words" && match.spelled === null ? match.text : texts.join(" ");
  const words = fold(typed)
    .split(" ")
    .filter((word) => word !== "");
  const fields: [reason: VideoReason, text: string][] = [
    [{ kind: "inTitle" }, video.title],
    ...video.actors.map(({ actor: { name } }) => labelField({ kind: "inLabel", name }, name)),
    ...video.tags.map(({ tag: { name } }) =>
      labelField({ kind: "inLabel", name: `#${name}` }, name),
    ),
    ...video.categories.map(({ category: { name } }) =>
      labelField({ kind: "inCategory", name }, name),
    ),
    [{ kind: "inDescription" }, video.description ?? ""],
  ];
  let best: { reason: VideoReason; count: number } = { reason: { kind: "similarWords" }, count: 0 };
  for (const [reason, text] of fields) {
    const count = countMatches(words, text);
    if (count > best.count) best = { reason, count };
    if (count === words.length) break;
  }
  const isSimilar = best.count === 0 && match.kind === "titles";
  return {
    reason: isSimilar ? { kind: "similarTitle" } : best.reason,
    hasAllWords: best.count === words.length,
  };
}

const labelField = (reason: VideoReason, name: string): [VideoReason, string] => [reason, name];
