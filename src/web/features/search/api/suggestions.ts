import { suggestionList, type Suggestion } from "#contract/lists/search.ts";
import { call, queryString } from "#web/lib/api/http.ts";

/** Fetches suggestions for the text typed so far. */
export async function fetchSuggestions(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const path = `/api/search/suggest${queryString({ q })}`;
  return (await call(path, suggestionList, { signal })).suggestions;
}
