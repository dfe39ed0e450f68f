import type { PageApi } from "#contract/site/page-api.ts";
import { limits } from "#contract/limits.ts";
import type { VideoListQuery } from "#contract/videos/videos.ts";
import { toCardList, type CardList } from "./card-video.ts";
import { statusOf } from "../page/page-route.ts";

export type ListQuery = Partial<
  Pick<
    VideoListQuery,
    | "search"
    | "category"
    | "tag"
    | "actor"
    | "sort"
    | "timeRange"
    | "length"
    | "date"
    | "quality"
    | "cursor"
  >
>;

/** Page of videos, or the status of the failed request (null without a response). */
export type ListResult =
  | { isLoaded: true; list: CardList }
  | { isLoaded: false; status: number | null };

/** Lists published videos, twelve at a time. */
export async function fetchCardList(api: PageApi, query: ListQuery): Promise<CardList> {
  // The server treats empty text as absent too.
  const { search, category, tag, actor, cursor, ...rest } = query;
  const list = await api.listVideos({
    ...rest,
    search: search || undefined,
    category: category || undefined,
    tag: tag || undefined,
    actor: actor || undefined,
    cursor: cursor || undefined,
    published: true,
    limit: limits.publicPageSize,
  });
  return toCardList(list);
}

/** Returns failures as values, so that the page around the list remains. */
export async function loadCardList(api: PageApi, query: ListQuery): Promise<ListResult> {
  try {
    return { isLoaded: true, list: await fetchCardList(api, query) };
  } catch (error) {
    console.error("Listing videos failed", error);
    return { isLoaded: false, status: statusOf(error) };
  }
}
