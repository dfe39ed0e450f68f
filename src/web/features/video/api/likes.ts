import type { LikeStatus } from "../../../../contract/videos.ts";
import { call } from "../../../lib/http.ts";
import { likeStatusShape } from "../../../lib/wire-shapes.ts";

const address = (slug: string) => `/api/videos/${encodeURIComponent(slug)}/like`;

export function fetchLikeStatus(slug: string, signal: AbortSignal): Promise<LikeStatus> {
  return call(address(slug), likeStatusShape, { signal });
}

/** Likes, or withdraws the like; the answer is what now holds. */
export function toggleLike(slug: string): Promise<LikeStatus> {
  return call(address(slug), likeStatusShape, { method: "POST" });
}
