import { useLocation } from "react-router";

/**
 * Returns the query of the page's address. Unlike `useSearchParams` of the router it brings no
 * links and forms along.
 */
export function useQueryParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}
