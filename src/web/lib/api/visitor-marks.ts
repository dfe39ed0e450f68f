import { favoriteStatus, likeStatus, type LikeStatus } from "#contract/videos/marks.ts";
import { call } from "./http.ts";

const path = (slugOrId: string, what: "like" | "favorite") =>
  `/api/videos/${encodeURIComponent(slugOrId)}/${what}`;

export function fetchLikeStatus(slugOrId: string, signal?: AbortSignal): Promise<LikeStatus> {
  return call(path(slugOrId, "like"), likeStatus, { signal });
}

/** Likes the video or withdraws the like. Returns the new status. */
export function toggleLike(slugOrId: string): Promise<LikeStatus> {
  return call(path(slugOrId, "like"), likeStatus, { method: "POST" });
}

/**
 * Likes the video or withdraws the like. Shows the expected status immediately, then the server's,
 * and after a failure the former one.
 */
export async function changeLike(
  slugOrId: string,
  former: LikeStatus,
  show: (status: LikeStatus) => void,
): Promise<void> {
  const { liked, likesCount } = former;
  show({ liked: !liked, likesCount: Math.max(0, likesCount + (liked ? -1 : 1)) });
  try {
    show(await toggleLike(slugOrId));
  } catch (error) {
    show(former);
    throw error;
  }
}

export async function fetchFavorite(slugOrId: string, signal: AbortSignal): Promise<boolean> {
  return (await call(path(slugOrId, "favorite"), favoriteStatus, { signal })).isFavorite;
}

export async function setFavorite(slugOrId: string, isFavorite: boolean): Promise<boolean> {
  const method = isFavorite ? "POST" : "DELETE";
  return (await call(path(slugOrId, "favorite"), favoriteStatus, { method })).isFavorite;
}
