import { useEffect, useState } from "react";
import type { Suggestion } from "../../../../contract/search.ts";
import { fetchSuggestions } from "../api/suggestions.ts";

/** Short enough to feel at once, long enough not to ask for every letter of a fast typist. */
const quietMs = 120;
const none: readonly Suggestion[] = [];

/** Suggestions for what is being typed; those of the former letters stay until the new ones come. */
export function useSuggestions(term: string, isWanted: boolean): readonly Suggestion[] {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>(none);
  const trimmed = term.trim();

  useEffect(() => {
    if (!isWanted || trimmed === "") {
      setSuggestions(none);
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      fetchSuggestions(trimmed, gone.signal).then(
        (found) => {
          if (!gone.signal.aborted) setSuggestions(found);
        },
        (error: unknown) => {
          // Suggestions are a convenience: the search itself works without them.
          if (!gone.signal.aborted) console.warn("Suggestions failed", error);
        },
      );
    }, quietMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [trimmed, isWanted]);

  return suggestions;
}
