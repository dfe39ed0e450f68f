import { useLocation } from "react-router";
import { pageLanguage } from "../language/page-language.ts";

/**
 * Identifies this entry of the tab's history, for state that Back restores. The router gives every page
 * that was loaded as a whole the same key, so the address with its language is part of it.
 */
export function useEntryKey(): string {
  const { key, pathname, search } = useLocation();
  return `${key} ${pageLanguage().prefix}${pathname}${search}`;
}
