import { call, queryString } from "../../../lib/http.ts";
import { listOf, object, oneOf, text } from "../../../lib/shape.ts";

export interface Suggestion {
  kind: "title" | "tag" | "actor" | "category";
  text: string;
  slug: string;
}

const answer = object<{ suggestions: Suggestion[] }>({
  suggestions: listOf(
    object<Suggestion>({
      kind: oneOf("title", "tag", "actor", "category"),
      text,
      slug: text,
    }),
  ),
});

/** What the typed beginning may become. */
export async function fetchSuggestions(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  return (await call(`/api/search/suggest${queryString({ q })}`, answer, { signal })).suggestions;
}
