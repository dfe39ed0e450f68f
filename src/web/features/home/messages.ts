import type { Sort } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const homeMessages = inLanguage("home", {
  followed: "New from what you follow",
  followedAll: "Your library",
  followedNone: "No videos from what you follow yet.",
  followedFailed: "Couldn't load videos from what you follow.",
  title: "Home",
  heading: "Videos",
  filters: "Search and filter",
  searchLabel: "Filter these videos",
  searchPlaceholder: "Filter these videos",
  apply: "Search",
  sortBy: "Sort by",
  categories: "Categories",
  all: "All",
  active: "Active filters",
  removeFilter: (filter: string) => `Remove filter: ${filter}`,
  clear: "Clear",
  resultsFor: (term: string) => `Results for “${term}”`,
  quoted: (term: string) => `“${term}”`,
  listLabel: "Videos",
  fresh:
    "This site has no videos yet. {upload}, or stop the server and run {command} to try it with sample videos.",
  freshUpload: "Upload the first video",
  noMatch: "Try fewer words, another category, or {all}.",
  noMatchLink: "see all videos",
  defaultDescription: (siteName: string) =>
    `Watch, search and share videos on ${siteName}. No account needed.`,
  loadingDescription: "Loading description",
});

export const sortLabels = inLanguage("sorts", {
  newest: "Newest",
  most_viewed: "Most Viewed",
  top_rated: "Top Rated",
  trending: "Trending",
} satisfies Record<Sort, string>);
