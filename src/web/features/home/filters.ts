import { limits, sortValues, type Sort } from "../../../contract/limits.ts";

/** What the address of the home listing holds. Empty text means no such filter. */
export interface Filters {
  search: string;
  category: string;
  sort: Sort;
}

export const noFilters: Filters = { search: "", category: "", sort: "newest" };

/** Reads an address; what cannot be is left out. */
export function parseFilters(params: URLSearchParams): Filters {
  const sort = sortValues.find((value) => value === params.get("sort"));
  return {
    search: (params.get("search") ?? "").trim().slice(0, limits.searchMax),
    category: (params.get("category") ?? "").trim().slice(0, limits.nameMax),
    sort: sort ?? "newest",
  };
}

/** `/home?...` with newest left out, as is everything empty. */
export function homeHref(filters: Filters, cursor?: string): string {
  const params = new URLSearchParams();
  if (filters.search !== "") params.set("search", filters.search);
  if (filters.category !== "") params.set("category", filters.category);
  if (filters.sort !== "newest") params.set("sort", filters.sort);
  if (cursor !== undefined) params.set("cursor", cursor);
  const query = params.toString();
  return query === "" ? "/home" : `/home?${query}`;
}

export function isSameFilters(a: Filters, b: Filters): boolean {
  return (
    a.search === b.search &&
    a.category.toLowerCase() === b.category.toLowerCase() &&
    a.sort === b.sort
  );
}
