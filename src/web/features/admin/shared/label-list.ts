import { queryOptions } from "@tanstack/react-query";
import { taxonomyList, type TaxonomyKind } from "../../../../contract/taxonomy.ts";
import { adminCall } from "./admin-api.ts";

/** Every category, tag or actor by name; for filters and suggestions, so a minute old will do. */
export function labelListQuery(kind: TaxonomyKind) {
  return queryOptions({
    queryKey: ["admin", "label list", kind],
    queryFn: () => adminCall(`/api/${kind}`, taxonomyList),
    staleTime: 60_000,
  });
}
