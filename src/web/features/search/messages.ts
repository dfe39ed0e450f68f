import { inLanguage } from "#web/lib/language/page-language.ts";

export const searchMessages = inLanguage("search", {
  title: "Search",
  description: (siteName: string) =>
    `Search ${siteName} by title, tag, actor or category. Small typos are fine.`,
  form: "Find videos",
  label: "Search videos",
  placeholder: "Titles, tags, actors, categories",
  submit: "Search",
  clear: "Clear search",
  suggestions: "Suggestions",
  recent: "Recent searches",
  clearRecent: "Clear recent searches",
  filters: "Filters",
  filterNames: {
    length: "Length",
    date: "Date",
    quality: "Quality",
    category: "Category",
    sort: "Sort by",
  },
  anyCategory: "Any category",
  apply: "Apply",
  suggestionCount: (count: number) =>
    count === 1 ? "1 suggestion" : `${count} suggestions. Use the arrow keys.`,
  resultsFor: (term: string) => `Results for “${term}”`,
  nothing: "Try fewer or different words. Small typos are fine.",
  withoutFilters: "Search without filters",
  popularTags: "Popular tags",
  trending: "Trending now",
  kinds: { title: "Video", tag: "Tag", actor: "Actor", category: "Category" },
});

/** Filter labels by their value in the address. The first one applies no filter. */
export const filterLabels = inLanguage("filters", {
  length: {
    "": "Any length",
    short: "Under 4 minutes",
    medium: "4 to 20 minutes",
    long: "Over 20 minutes",
  },
  date: {
    "": "Any date",
    today: "Last 24 hours",
    week: "Last 7 days",
    month: "Last 30 days",
    year: "Last 365 days",
  },
  quality: { "": "Any quality", hd: "HD and better", full_hd: "Full HD and better", "4k": "4K" },
  sort: { "": "Relevance", newest: "Newest", most_viewed: "Most viewed" },
});
