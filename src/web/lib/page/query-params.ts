import { useLocation } from "react-router";

/**
 * Returns the query of the page's URL. Unlike the router's `useSearchParams`, this doesn't add link
 * and form code to the bundle.
 */
export function useQueryParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}
