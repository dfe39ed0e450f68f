import type * as loaded from "./search-parts-loaded.tsx";

/**
 * Components that only search results use. Other pages don't load them. A page that renders results
 * calls `loadSearchParts` first.
 */
type SearchParts = typeof loaded;

let parts: SearchParts | null = null;

export async function loadSearchParts(): Promise<void> {
  parts ??= await import("./search-parts-loaded.tsx");
}

/** Returns null if no search has been shown yet. */
export function findSearchParts(): SearchParts | null {
  return parts;
}
