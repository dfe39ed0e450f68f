import {
  dateValues,
  lengthValues,
  limits,
  qualityValues,
  sortValues,
  type DateFilter,
  type LengthFilter,
  type QualityFilter,
  type Sort,
} from "#contract/limits.ts";

/** Search filters, as in the URL. Empty means no filter. */
export interface SearchFilters {
  category: string;
  length: LengthFilter | "";
  date: DateFilter | "";
  quality: QualityFilter | "";
  /** Empty means by relevance. */
  sort: Sort | "";
}

const noFilters: SearchFilters = {
  category: "",
  length: "",
  date: "",
  quality: "",
  sort: "",
};

/** Returns whether the filters exclude any videos. The order doesn't matter. */
export const narrows = (filters: SearchFilters) =>
  Object.entries(filters).some(([name, value]) => name !== "sort" && value !== "");

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | "" =>
  values.find((each) => each === value) ?? "";

/** Reads the filters from a URL. Ignores invalid values. */
export function parseSearch(params: URLSearchParams): { term: string; filters: SearchFilters } {
  return {
    term: (params.get("search") ?? "").trim().slice(0, limits.searchMax).toWellFormed(),
    filters: {
      category: (params.get("category") ?? "").trim().slice(0, limits.nameMax).toWellFormed(),
      length: oneOf(lengthValues, params.get("length")),
      date: oneOf(dateValues, params.get("date")),
      quality: oneOf(qualityValues, params.get("quality")),
      sort: oneOf(sortValues, params.get("sort")),
    },
  };
}

/** Returns `/search?...` without empty values. */
export function searchHref(term: string, filters: SearchFilters = noFilters, cursor = ""): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ search: term, ...filters, cursor })) {
    if (value !== "") params.set(name, value);
  }
  const query = params.toString().replaceAll("+", "%20");
  return query === "" ? "/search" : `/search?${query}`;
}
