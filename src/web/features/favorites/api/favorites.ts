import { limits } from "../../../../contract/limits.ts";
import { toCardVideo, type CardVideo } from "../../../lib/card-video.ts";
import { call, callForEffect, queryString } from "../../../lib/http.ts";
import { videoListShape } from "../../../lib/wire-shapes.ts";

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
  const list = await call(`/api/favorites${query}`, videoListShape);
  return {
    total: list.total,
    videos: list.videos.map((video) => ({ ...toCardVideo(video), isLiked: video.isLiked })),
  };
}

/** A favourite is what was saved or liked: both are taken back. */
export async function removeFavorite(
  video: Pick<FavoriteVideo, "slug" | "isLiked">,
): Promise<void> {
  const base = `/api/videos/${encodeURIComponent(video.slug)}`;
  await callForEffect(`${base}/favorite`, { method: "DELETE" });
  if (video.isLiked) await callForEffect(`${base}/like`, { method: "POST" });
}
