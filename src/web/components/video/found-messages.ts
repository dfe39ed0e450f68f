import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of search results. */
export const foundMessages = inLanguage("found", {
  nothingHas: (term: string) => `No videos match “${term}” exactly.`,
  didYouMean: "Did you mean {meant}?",
  moreFilters: "Sort by relevance, filter by length, date and quality",
});
