import { useLocation, useNavigation } from "react-router";
import { pageLanguage, plainPath } from "../language/page-language.ts";

/**
 * Returns a key for this history entry, for state that Back restores. The router uses the same key
 * for every page that was loaded as a document, so the key contains the URL with its language.
 */
export function useEntryKey(): string {
  const { key, pathname, search } = useLocation();
  return `${key} ${pageLanguage().prefix}${pathname}${search}`;
}

/** Returns the path of the page that is loading, without its language. Null if none is. */
export function useNextPath(): string | null {
  const { state, location } = useNavigation();
  return state === "loading" ? plainPath(location.pathname) : null;
}

/** Returns how the browser loaded this document, or undefined if it doesn't report it. */
export function documentLoadType(): NavigationTimingType | undefined {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type;
}

/** Set by the root layout. True if Back, Forward or a reload has opened the history entry. */
export const entry = { isReturn: false };

/** Scrolls to the element for a hash such as `#section-branding`, if the page shows it. */
export function scrollToAnchor(hash: string): void {
  let id = hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // The hash isn't encoded, so it is used unchanged.
  }
  document.getElementById(id)?.scrollIntoView();
}
