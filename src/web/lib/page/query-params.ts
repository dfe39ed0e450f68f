import { useLocation } from "react-router";

/**
 * The query of the page's address. Unlike `useSearchParams` of the router it brings no links and
 * forms along.
 */
export function useQueryParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}
