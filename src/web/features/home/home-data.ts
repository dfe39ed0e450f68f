import type { ListResult } from "#web/lib/lists/card-list.ts";
import type { Filters } from "./filters.ts";

/** Loader data of the home page. */
export interface HomeData {
  filters: Filters;
  cursor: string | null;
  result: ListResult;
}
