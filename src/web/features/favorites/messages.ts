import { inLanguage } from "#web/lib/language/page-language.ts";

export const favoritesMessages = inLanguage("favorites", {
  title: "Favorites",
  intro: "Videos you liked or saved on this device. No account needed.",
  emptyTitle: "No favorites yet",
  emptyText: "Videos you like or save appear here.",
  toFeed: "Discover videos in the feed",
  failed: "Couldn't load your favorites.",
  tryAgain: "Try Again",
  loadMore: "Load more",
  loading: "Loading...",
  remove: "Remove",
  removeFrom: (title: string) => `Remove from favorites: ${title}`,
  removed: "Removed from Favorites",
  removeFailed: "Failed to update favorites. Please try again.",
  listLabel: "Your favorites",
  noScripts: "Turn on JavaScript to see your favorites.",
});
