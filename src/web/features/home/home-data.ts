import type { ListResult } from "#web/lib/lists/card-list.ts";
import type { Filters } from "./filters.ts";

/** What the loader of the home page returns. */
export interface HomeData {
  filters: Filters;
  cursor: string | null;
  result: ListResult;
}
