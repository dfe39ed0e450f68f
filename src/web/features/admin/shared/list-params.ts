import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { limits } from "#contract/limits.ts";

/** Numbers of rows that a page of a list can have. */
export const pageSizes = [limits.adminPageSize, 50, limits.maxPageSize] as const;

export interface SortOrder {
  column: string;
  isDescending: boolean;
}

/** Filters of a list in the address, so that reload, Back and shared links keep them. */
export interface ListParams {
  get(name: string): string;
  /** From 1. */
  page: number;
  search: string;
  /** `sort=views` is descending, `sort=-views` ascending; null is the default order. */
  sort: SortOrder | null;
  /**
   * Changes the given filters; an empty value removes a filter. Changes other than `page` go back to
   * page 1.
   */
  set(changes: Record<string, string | null>): void;
  setPage(page: number): void;
  setSort(sort: SortOrder | null): void;
  /** One of `pageSizes`; `rows=50` in the address, absent for the default. */
  pageSize: number;
  setPageSize(rows: number): void;
}

/** @param defaultSize rows on a page until the user chooses another number. */
export function useListParams(defaultSize: number = limits.adminPageSize): ListParams {
  const [params, setParams] = useSearchParams();

  const set = useCallback(
    (changes: Record<string, string | null>) => {
      // Read from the URL, because an earlier change may not be rendered yet.
      const next = new URLSearchParams(window.location.search);
      if (!("page" in changes)) next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      setParams(next, { replace: !("page" in changes), preventScrollReset: true });
    },
    [setParams],
  );

  const sort = params.get("sort") ?? "";
  const rows = Number(params.get("rows"));
  return {
    get: (name) => params.get(name) ?? "",
    page: Math.max(1, Math.trunc(Number(params.get("page") ?? "1")) || 1),
    search: params.get("search") ?? "",
    sort:
      sort === "" ? null : { column: sort.replace(/^-/, ""), isDescending: !sort.startsWith("-") },
    pageSize: pageSizes.find((size) => size === rows) ?? defaultSize,
    setPageSize: (next) => set({ rows: next === defaultSize ? null : String(next) }),
    set,
    setPage: (page) => set({ page: page === 1 ? null : String(page) }),
    setSort: (next) =>
      set({ sort: next === null ? null : `${next.isDescending ? "" : "-"}${next.column}` }),
  };
}
