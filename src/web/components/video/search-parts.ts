/**
 * What only results of searches show. Visitors without a search do not load it: whoever renders
 * results calls `loadSearchParts` before.
 */
type SearchParts = typeof import("./search-parts-loaded.tsx");

let parts: SearchParts | null = null;

export async function loadSearchParts(): Promise<void> {
  parts ??= await import("./search-parts-loaded.tsx");
}

/** Null where no search has been shown yet. */
export function findSearchParts(): SearchParts | null {
  return parts;
}
