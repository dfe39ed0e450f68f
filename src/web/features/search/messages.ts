export const searchMessages = {
  title: "Search",
  description: (siteName: string) =>
    `Search ${siteName} by title, tag, actor or category; one letter wrong is found all the same.`,
  form: "Find videos",
  label: "Search videos",
  placeholder: "Titles, tags, actors, categories",
  submit: "Search",
  clear: "Clear the search",
  suggestions: "Suggestions",
  suggestionCount: (count: number) =>
    count === 1 ? "1 suggestion" : `${count} suggestions, use the arrow keys`,
  resultsFor: (term: string) => `Results for “${term}”`,
  found: (count: string, isOne: boolean) => `${count} ${isOne ? "video" : "videos"}`,
  nothing: "Try fewer or other words; one letter wrong is found all the same.",
  popularTags: "Popular tags",
  trending: "Trending now",
  kinds: { title: "Video", tag: "Tag", actor: "Actor", category: "Category" },
} as const;
