import { videoHref } from "../lists/card-video.ts";

/** Returns the URL of a video that plays as part of a playlist in this browser. */
export function playlistHref(slug: string, playlistId: string): string {
  return `${videoHref(slug)}?list=${encodeURIComponent(playlistId)}`;
}
