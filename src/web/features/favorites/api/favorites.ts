import { limits } from "#contract/limits.ts";
import { videoList } from "#contract/videos/videos.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { fetchLikeStatus, setFavorite, toggleLike } from "#web/lib/api/visitor-marks.ts";

export interface FavoritePage {
  videos: CardVideo[];
  total: number;
}

export async function fetchFavorites(offset: number): Promise<FavoritePage> {
  const query = queryString({
    limit: limits.publicPageSize,
    offset: offset === 0 ? undefined : offset,
  });
  const list = await call(`/api/favorites${query}`, videoList);
  return { total: list.total, videos: list.videos.map(toCardVideo) };
}

/** Removes a video from the favorites, which include saved and liked videos. */
export async function removeFavorite(slug: string): Promise<void> {
  await setFavorite(slug, false);
  // The like may have changed in another tab since the list was loaded.
  const { liked } = await fetchLikeStatus(slug);
  if (liked) await toggleLike(slug);
}
