import type { LikeStatus } from "../../../../contract/videos.ts";
import { call } from "../../../lib/http.ts";
import { flag, object } from "../../../lib/shape.ts";
import { likeStatusShape } from "../../../lib/wire-shapes.ts";

const path = (videoId: string, what: string) =>
  `/api/videos/${encodeURIComponent(videoId)}/${what}`;

export function toggleLike(videoId: string): Promise<LikeStatus> {
  return call(path(videoId, "like"), likeStatusShape, { method: "POST" });
}

export async function setFavorite(videoId: string, isFavorite: boolean): Promise<boolean> {
  const shape = object<{ isFavorite: boolean }>({ isFavorite: flag });
  const method = isFavorite ? "POST" : "DELETE";
  return (await call(path(videoId, "favorite"), shape, { method })).isFavorite;
}
