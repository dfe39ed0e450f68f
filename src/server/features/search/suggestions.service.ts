import { suggestionsMax, type SuggestionList } from "../../../contract/search.ts";
import type { Db } from "../../db/connection.ts";
import { noteShown } from "../../http/cache/shown-tags.ts";
import type { TextSearch } from "../lists/text-search.ts";
import { splitWords, toTsquery } from "./search-query.ts";
import { foldText } from "./search.repository.ts";
import { suggestLabels, suggestTitles } from "./suggestions.repository.ts";

/** How many suggestions are reserved for titles. */
const minTitles = 4;

export interface SuggestionsService {
  /** Labels and titles that begin with the typed text; labels first. */
  suggest(text: string): Promise<SuggestionList>;
}

export function createSuggestionsService(deps: {
  db: Db;
  search: Pick<TextSearch, "understand">;
}): SuggestionsService {
  const { db, search } = deps;

  /** The words as prefixes, even of one letter, with typos corrected. */
  async function findPrefixes(
    text: string,
    folded: string,
  ): Promise<{ text: string; query: string; tiered: string }> {
    const words = splitWords(folded);
    if (folded.length > 1) {
      const match = await search.understand(text, "listed");
      if (match?.kind === "words") return match;
    }
    const typed = words.map((word) => [word]);
    const form = { isPrefix: true, typed: 1 };
    return {
      text: folded,
      query: toTsquery(typed, form),
      tiered: toTsquery(typed, { ...form, isTiered: true }),
    };
  }

  return {
    async suggest(text) {
      noteShown("labels", "videos");
      const folded = await foldText(db, text);
      if (folded === "") return { suggestions: [] };
      const typed = await findPrefixes(text, folded);
      const [labels, titles] = await Promise.all([
        suggestLabels(db, typed.text, suggestionsMax),
        suggestTitles(db, typed, suggestionsMax),
      ]);
      const kept = labels.slice(0, suggestionsMax - Math.min(minTitles, titles.length));
      return { suggestions: [...kept, ...titles].slice(0, suggestionsMax) };
    },
  };
}
