import { useState, useEffect } from "react";
import { suggestionList, type Suggestion } from "#contract/lists/search.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { readStoredJson, searchesKey as key, writeStored } from "#web/lib/device-storage.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("search");

const bases: Record<Suggestion["kind"], string> = {
  title: "/video",
  tag: "/tags",
  actor: "/actors",
  category: "/categories",
};

function suggestionHref(suggestion: Suggestion): string {
  return `${bases[suggestion.kind]}/${encodeURIComponent(suggestion.slug)}`;
}

/** Fetches suggestions for the text typed so far. */
async function fetchSuggestions(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const path = `/api/search/suggest${queryString({ q })}`;
  return (await call(path, suggestionList, { signal })).suggestions;
}

/** Milliseconds without input before a request. Feels immediate but avoids a request per letter. */
const quietMs = 120;
const none: readonly Suggestion[] = [];

/** Returns suggestions for the typed text. Earlier ones stay until new ones arrive. */
function useSuggestions(term: string, isWanted: boolean): readonly Suggestion[] {
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

/** Line below a search box. */
export interface SearchOption {
  key: string;
  text: string;
  /** Kind of suggestion, shown at the end of the line. */
  note?: string;
  icon?: "recent" | "clear";
  choose: () => void;
  /** Removes the suggestion from the list. Called by its remove button and by the Delete key. */
  remove?: () => void;
}

/**
 * Returns the suggestions for a text, or the recent searches for an empty one.
 * @param actions.open opens a page.
 * @param actions.close closes the list, because it has become empty.
 */
export function useSearchOptions(
  { text, isOpen }: { text: string; isOpen: boolean },
  actions: { hrefOf: (term: string) => string; open: (href: string) => void; close: () => void },
): { options: SearchOption[]; readAgain: () => void } {
  const { hrefOf, open, close } = actions;
  const [recent, setRecent] = useState(readRecentSearches);
  const suggestions = useSuggestions(text, isOpen);

  const found: SearchOption[] = suggestions.map((suggestion) => ({
    key: `${suggestion.kind}/${suggestion.slug}`,
    text: suggestion.kind === "tag" ? `#${suggestion.text}` : suggestion.text,
    note: messages.kinds[suggestion.kind],
    choose: () => open(suggestionHref(suggestion)),
  }));
  const before: SearchOption[] = recent.map((term) => ({
    key: term,
    text: term,
    icon: "recent",
    choose: () => {
      rememberSearch(term);
      open(hrefOf(term));
    },
    remove: () => {
      forgetSearch(term);
      const others = readRecentSearches();
      setRecent(others);
      if (others.length === 0) close();
    },
  }));
  const clear: SearchOption = {
    key: "clear",
    text: messages.clearRecent,
    icon: "clear",
    choose: () => {
      clearRecentSearches();
      setRecent([]);
      close();
    },
  };
  return {
    options: text.trim() !== "" ? found : before.length === 0 ? [] : [...before, clear],
    readAgain: () => setRecent(readRecentSearches()),
  };
}

const maxKept = 6;

/** Returns the last searches in this browser, latest first. Empty if storage is off. */
function readRecentSearches(): string[] {
  const kept = readStoredJson(key);
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}

function keep(searches: readonly string[]): void {
  writeStored(key, searches.length === 0 ? null : JSON.stringify(searches));
}

export function rememberSearch(term: string): void {
  const others = readRecentSearches().filter((each) => each.toLowerCase() !== term.toLowerCase());
  keep([term, ...others].slice(0, maxKept));
}

function forgetSearch(term: string): void {
  keep(readRecentSearches().filter((each) => each !== term));
}

function clearRecentSearches(): void {
  keep([]);
}
