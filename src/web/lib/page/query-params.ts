import { useLocation } from "react-router";

/**
 * Returns the query of the page's address. Unlike the router's `useSearchParams`, it doesn't add link
 * and form code to the bundle.
 */
export function useQueryParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}
