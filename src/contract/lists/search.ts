import { z } from "zod";
import { queryText } from "./paging.ts";
import { byLanguage } from "../videos/translations.ts";

const suggestionKinds = ["category", "tag", "actor", "title"] as const;

/** Maximum number of suggestions of GET /api/search/suggest. */
export const suggestionsMax = 8;

export const suggestQuery = z.object({ q: queryText() });

/** `slug` identifies the video with this title, or the page of the label. */
const suggestion = z.object({
  kind: z.enum(suggestionKinds),
  text: z.string(),
  /** Translated titles, if any. */
  translations: byLanguage(z.object({ text: z.string() })).optional(),
  slug: z.string(),
});
export type Suggestion = z.infer<typeof suggestion>;

export const suggestionList = z.object({ suggestions: z.array(suggestion) });
export type SuggestionList = z.infer<typeof suggestionList>;
