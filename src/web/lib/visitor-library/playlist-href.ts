import { videoHref } from "../lists/card-video.ts";

/** Returns the address of a video that plays as part of a playlist of this browser. */
export function playlistHref(slug: string, playlistId: string): string {
  return `${videoHref(slug)}?list=${encodeURIComponent(playlistId)}`;
}
