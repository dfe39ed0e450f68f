import { useEffect, useState } from "react";
import type { Suggestion } from "#contract/lists/search.ts";
import { fetchSuggestions } from "../api/suggestions.ts";

/** Milliseconds without input before a request. Feels immediate but avoids a request per letter. */
const quietMs = 120;
const none: readonly Suggestion[] = [];

/** Returns suggestions for the typed text. Earlier ones stay until new ones arrive. */
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
          // Suggestions are only a convenience. The search works without them.
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
