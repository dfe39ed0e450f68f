import { searchesKey as key } from "#web/lib/device-storage.ts";

const maxKept = 6;

/** Returns the last searches in this browser, latest first. Empty if storage is off. */
export function readRecentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function keep(searches: readonly string[]): void {
  try {
    if (searches.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(searches));
  } catch {
    // Storage is off, so there are no recent searches.
  }
}

export function rememberSearch(term: string): void {
  const others = readRecentSearches().filter((each) => each.toLowerCase() !== term.toLowerCase());
  keep([term, ...others].slice(0, maxKept));
}

export function forgetSearch(term: string): void {
  keep(readRecentSearches().filter((each) => each !== term));
}

export function clearRecentSearches(): void {
  keep([]);
}
