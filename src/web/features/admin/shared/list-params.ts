import { useCallback, useEffect } from "react";
import { useSearchParams } from "react-router";
import { limits } from "#contract/limits.ts";

/** Page sizes that users can choose. */
export const pageSizes = [limits.adminPageSize, 50, limits.maxPageSize] as const;

export interface SortOrder {
  column: string;
  isDescending: boolean;
}

/**
 * Filters of a list. They are stored in the URL, so that reloads, Back and shared links preserve
 * them.
 */
export interface ListParams {
  get(name: string): string;
  /** Starts at 1. At most the last page that a request can reach. */
  page: number;
  search: string;
  /** `sort=views` is descending, `sort=-views` ascending. Null is the default order. */
  sort: SortOrder | null;
  /**
   * Changes the given filters. An empty value removes a filter. Returns to page 1 and adds no
   * history entry, unless `page` is one of the changes.
   */
  set(changes: Record<string, string | null>): void;
  setPage(page: number, options?: { replace: boolean }): void;
  setSort(sort: SortOrder | null): void;
  /** One of `pageSizes`. The URL contains `rows=50`, or nothing for the default. */
  pageSize: number;
  setPageSize(rows: number): void;
}

/** @param defaultSize rows per page until the user chooses another number. */
export function useListParams(defaultSize: number = limits.adminPageSize): ListParams {
  const [params, setParams] = useSearchParams();

  const apply = useCallback(
    (changes: Record<string, string | null>, replace: boolean) => {
      // Read from the URL, because an earlier change may not be rendered yet.
      const next = new URLSearchParams(window.location.search);
      if (!("page" in changes)) next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      setParams(next, { replace, preventScrollReset: true });
    },
    [setParams],
  );
  const set: ListParams["set"] = (changes) => apply(changes, !("page" in changes));

  const sort = params.get("sort") ?? "";
  const rows = Number(params.get("rows"));
  const pageSize = pageSizes.find((size) => size === rows) ?? defaultSize;
  const maxPage = Math.floor(limits.maxOffset / pageSize) + 1;
  return {
    get: (name) => params.get(name) ?? "",
    page: Math.min(maxPage, Math.max(1, Math.trunc(Number(params.get("page") ?? "1")) || 1)),
    search: params.get("search") ?? "",
    sort:
      sort === "" ? null : { column: sort.replace(/^-/, ""), isDescending: !sort.startsWith("-") },
    pageSize,
    setPageSize: (next) => set({ rows: next === defaultSize ? null : String(next) }),
    set,
    setPage: (page, options) =>
      apply({ page: page === 1 ? null : String(page) }, options?.replace ?? false),
    setSort: (next) =>
      set({ sort: next === null ? null : `${next.isDescending ? "" : "-"}${next.column}` }),
  };
}

/**
 * Goes to the last page if the current one no longer exists, for example because its last row was
 * deleted.
 * @param total number of rows on all pages, or undefined while it is unknown.
 */
export function useLastPage({ page, setPage }: ListParams, pageSize: number, total = 0): void {
  const lastPage = Math.ceil(total / pageSize);
  useEffect(() => {
    if (total > 0 && page > lastPage) setPage(lastPage, { replace: true });
  });
}
