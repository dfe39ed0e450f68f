import { useLocation } from "react-router";
import { pageLanguage } from "../language/page-language.ts";

/**
 * Returns a key for this history entry, for state that Back restores. The router uses the same key
 * for every page that was loaded as a document, so the key contains the URL with its language.
 */
export function useEntryKey(): string {
  const { key, pathname, search } = useLocation();
  return `${key} ${pageLanguage().prefix}${pathname}${search}`;
}
