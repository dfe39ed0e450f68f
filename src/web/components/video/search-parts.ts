import type * as loaded from "./search-parts-loaded.tsx";

/**
 * Components used only by search results. Other pages don't load them: a page that renders results
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
