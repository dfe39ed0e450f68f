import { limits } from "#contract/limits.ts";
import { browserApi } from "./api/page-api.ts";
import type { ListQuery } from "./lists/card-list.ts";
import { toCardList, type CardList } from "./lists/card-video.ts";
import { recallList } from "./lists/list-memory.ts";
import { queueId, queueMax, writeQueue } from "./play-queue.ts";
import { playlistHref } from "./visitor-library/playlist-href.ts";

/**
 * Makes a list the queue of this tab: the videos on screen in the order seen, then those that
 * follow. If these can't be loaded, the queue ends with the last video on screen.
 * @returns the path of the first video in the queue.
 */
export async function startQueue({
  memoryKey,
  list,
  query,
  name,
  from,
}: {
  /** History entry of the list, which may have grown. */
  memoryKey: string;
  list: CardList;
  query: ListQuery;
  name: string;
  /** Page that shows the list. */
  from: string;
}): Promise<string> {
  const seen = recallList(memoryKey) ?? list;
  const videos = new Map(seen.videos.map((video) => [video.slug, video]));
  let cursor = seen.nextCursor;
  try {
    while (cursor !== null && videos.size < queueMax) {
      const { search, category, tag, actor, ...rest } = query;
      const page = toCardList(
        await browserApi.listVideos({
          ...rest,
          search: search || undefined,
          category: category || undefined,
          tag: tag || undefined,
          actor: actor || undefined,
          published: true,
          limit: limits.maxPageSize,
          cursor,
        }),
      );
      for (const video of page.videos) {
        if (!videos.has(video.slug)) videos.set(video.slug, video);
      }
      cursor = page.nextCursor;
    }
  } catch (error) {
    console.warn("Couldn't load the rest of the list", error);
  }
  const queue = [...videos.values()];
  writeQueue({ name, href: from, videos: queue });
  return playlistHref(queue[0]?.slug ?? "", queueId);
}
