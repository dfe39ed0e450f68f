import { limits } from "#contract/limits.ts";
import { videoList } from "#contract/videos/videos.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";
import { call, callForEffect, queryString } from "#web/lib/api/http.ts";

export interface FavoriteVideo extends CardVideo {
  isLiked: boolean;
}

export interface FavoritePage {
  videos: FavoriteVideo[];
  total: number;
}

export async function fetchFavorites(offset: number): Promise<FavoritePage> {
  const query = queryString({
    limit: limits.publicPageSize,
    offset: offset === 0 ? undefined : offset,
  });
  const list = await call(`/api/favorites${query}`, videoList);
  return {
    total: list.total,
    videos: list.videos.map((video) => ({ ...toCardVideo(video), isLiked: video.isLiked })),
  };
}

/** Removes a video from the favourites, which include saved and liked videos. */
export async function removeFavorite(
  video: Pick<FavoriteVideo, "slug" | "isLiked">,
): Promise<void> {
  const base = `/api/videos/${encodeURIComponent(video.slug)}`;
  await callForEffect(`${base}/favorite`, { method: "DELETE" });
  if (video.isLiked) await callForEffect(`${base}/like`, { method: "POST" });
}
