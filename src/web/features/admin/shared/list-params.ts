import { useCallback } from "react";
import { useSearchParams } from "react-router";

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
  /** Changes some; an empty value removes one. Changes other than `page` go back to page 1. */
  set(changes: Record<string, string | null>): void;
  setPage(page: number): void;
  setSort(sort: SortOrder | null): void;
}

export function useListParams(): ListParams {
  const [params, setParams] = useSearchParams();

  const set = useCallback(
    (changes: Record<string, string | null>) => {
      // Not what was rendered last: a change just before this one is only in the address so far.
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
  return {
    get: (name) => params.get(name) ?? "",
    page: Math.max(1, Math.trunc(Number(params.get("page") ?? "1")) || 1),
    search: params.get("search") ?? "",
    sort:
      sort === "" ? null : { column: sort.replace(/^-/, ""), isDescending: !sort.startsWith("-") },
    set,
    setPage: (page) => set({ page: page === 1 ? null : String(page) }),
    setSort: (next) =>
      set({ sort: next === null ? null : `${next.isDescending ? "" : "-"}${next.column}` }),
  };
}
