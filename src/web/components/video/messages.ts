import { inLanguage } from "#web/lib/language/page-language.ts";

export const videoMessages = inLanguage("videos", {
  keep: (title: string) => `Save ${title}`,
  noVideos: "No videos found",
  fetchFailed: "Failed to fetch videos",
  fetchFailedWith: (status: number) => `Failed to fetch videos: ${status}`,
  tryAgain: "Try Again",
  loadMore: "Load more",
  loadingMore: "Loading...",
  premium: "Premium",
  hd: "HD",
  firstPage: "Back to the first page",
  loadingVideos: "Loading videos",
});

/** Returns "Failed to fetch videos: 503", without the number if there was no response. */
export function listFailureText(status: number | null): string {
  return status === null ? videoMessages.fetchFailed : videoMessages.fetchFailedWith(status);
}
