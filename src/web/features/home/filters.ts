import { limits, sortValues, type Sort } from "#contract/limits.ts";
import type { ListQuery } from "#web/lib/lists/card-list.ts";

/**
 * Filters in the URL of the home page. An empty text means no filter. A type, because interfaces
 * have no index signature.
 */
export type Filters = {
  search: string;
  category: string;
  /** Empty for the default: newest, or by relevance in a search. */
  sort: Sort | "";
};

/** Reads the filters from a URL. Ignores invalid values. */
export function parseFilters(params: URLSearchParams): Filters {
  const sort = sortValues.find((value) => value === params.get("sort"));
  return {
    search: (params.get("search") ?? "").trim().slice(0, limits.searchMax).toWellFormed(),
    category: (params.get("category") ?? "").trim().slice(0, limits.nameMax).toWellFormed(),
    sort: sort ?? "",
  };
}

/** Returns the default order. The server sorts a search without an order by relevance. */
export const defaultSort = ({ search }: Filters) => (search === "" ? "newest" : undefined);

/** Returns `/home?...` without empty values and without the default order. */
export function homeHref(filters: Filters, cursor?: string): string {
  const params = new URLSearchParams();
  if (filters.search !== "") params.set("search", filters.search);
  if (filters.category !== "") params.set("category", filters.category);
  if (filters.sort !== "" && filters.sort !== defaultSort(filters))
    params.set("sort", filters.sort);
  if (cursor !== undefined) params.set("cursor", cursor);
  const query = params.toString();
  return query === "" ? "/home" : `/home?${query}`;
}

/** Returns the query of the list. */
export const queryOf = (filters: Filters): ListQuery & { search: string } => ({
  ...filters,
  sort: filters.sort || defaultSort(filters),
});

const keyOf = (filters: Filters) =>
  homeHref({ ...filters, category: filters.category.toLowerCase() });

export const isSameFilters = (a: Filters, b: Filters): boolean => keyOf(a) === keyOf(b);
