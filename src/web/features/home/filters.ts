import { limits, sortValues, type Sort } from "#contract/limits.ts";
import type { ListQuery } from "#web/lib/lists/card-list.ts";

/** Filters in the URL of the home page. An empty text means no filter. */
export interface Filters {
  search: string;
  category: string;
  sort: Sort;
}

export const noFilters: Filters = { search: "", category: "", sort: "newest" };

/** Reads the filters from a URL. Ignores invalid values. */
export function parseFilters(params: URLSearchParams): Filters {
  const sort = sortValues.find((value) => value === params.get("sort"));
  return {
    search: (params.get("search") ?? "").trim().slice(0, limits.searchMax).toWellFormed(),
    category: (params.get("category") ?? "").trim().slice(0, limits.nameMax).toWellFormed(),
    sort: sort ?? "newest",
  };
}

/** Returns `/home?...` without empty values and without the default order. */
export function homeHref(filters: Filters, cursor?: string): string {
  const params = new URLSearchParams();
  if (filters.search !== "") params.set("search", filters.search);
  if (filters.category !== "") params.set("category", filters.category);
  if (filters.sort !== "newest") params.set("sort", filters.sort);
  if (cursor !== undefined) params.set("cursor", cursor);
  const query = params.toString();
  return query === "" ? "/home" : `/home?${query}`;
}

/** Returns the query of the list. A search without another order is sorted by relevance. */
export const queryOf = ({ sort, ...rest }: Filters): ListQuery & { search: string } =>
  rest.search === "" || sort !== "newest" ? { ...rest, sort } : rest;

export function isSameFilters(a: Filters, b: Filters): boolean {
  return (
    a.search === b.search &&
    a.category.toLowerCase() === b.category.toLowerCase() &&
    a.sort === b.sort
  );
}
