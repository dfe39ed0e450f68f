import { readStoredJson, searchesKey as key, writeStored } from "#web/lib/device-storage.ts";

const maxKept = 6;

/** Returns the last searches in this browser, latest first. Empty if storage is off. */
export function readRecentSearches(): string[] {
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

export function forgetSearch(term: string): void {
  keep(readRecentSearches().filter((each) => each !== term));
}

export function clearRecentSearches(): void {
  keep([]);
}
