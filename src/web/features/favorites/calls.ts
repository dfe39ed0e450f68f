import { limits } from "#contract/limits.ts";
import { videoList } from "#contract/videos/videos.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { fetchLikeStatus, setFavorite, toggleLike } from "#web/lib/api/visitor-marks.ts";

export interface FavoritePage {
  videos: CardVideo[];
  total: number;
}

/** Fetches `count` favorites, in several requests if `count` exceeds the page limit. */
export async function fetchFavorites(
  offset: number,
  count: number = limits.publicPageSize,
): Promise<FavoritePage> {
  const limit = Math.min(count, limits.maxPageSize);
  const query = queryString({ limit, offset: offset === 0 ? undefined : offset });
  const list = await call(`/api/favorites${query}`, videoList);
  const page = { total: list.total, videos: list.videos.map(toCardVideo) };
  if (count === limit || page.videos.length < limit) return page;
  const rest = await fetchFavorites(offset + limit, count - limit);
  return { total: rest.total, videos: [...page.videos, ...rest.videos] };
}

/** Removes a video from the favorites, which include saved and liked videos. */
export async function removeFavorite(slug: string): Promise<void> {
  await setFavorite(slug, false);
  // The like may have changed in another tab since the list was loaded.
  const { liked } = await fetchLikeStatus(slug);
  if (liked) await toggleLike(slug);
}
