import type * as loaded from "./search-parts-loaded.tsx";

/**
 * What only results of searches show. Visitors without a search do not load it: a page that renders
 * results calls `loadSearchParts` before.
 */
type SearchParts = typeof loaded;

let parts: SearchParts | null = null;

export async function loadSearchParts(): Promise<void> {
  parts ??= await import("./search-parts-loaded.tsx");
}

/** Null where no search has been shown yet. */
export function findSearchParts(): SearchParts | null {
  return parts;
}
