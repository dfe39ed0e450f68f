export const videoMessages = {
  keep: (title: string) => `Keep ${title}`,
  noVideos: "No videos found",
  fetchFailed: "Failed to fetch videos",
  tryAgain: "Try Again",
  loadMore: "Load more",
  loadingMore: "Loading...",
  premium: "Premium",
  hd: "HD",
  view: "view",
  views: "views",
  like: "like",
  likes: "likes",
  video: "video",
  videos: "videos",
  firstPage: "Back to the first page",
} as const;

/** "Failed to fetch videos: 503", without the number if there was no response. */
export function listFailureText(status: number | null): string {
  return status === null ? videoMessages.fetchFailed : `${videoMessages.fetchFailed}: ${status}`;
}
