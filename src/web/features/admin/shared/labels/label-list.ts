import { queryOptions } from "@tanstack/react-query";
import { taxonomyList, type TaxonomyKind } from "#contract/taxonomy.ts";
import { adminCall } from "../admin-api.ts";

/** All categories, tags or actors by name, for filters and suggestions; cached for a minute. */
export function labelListQuery(kind: TaxonomyKind) {
  return queryOptions({
    queryKey: ["admin", "label list", kind],
    queryFn: () => adminCall(`/api/${kind}`, taxonomyList),
    staleTime: 60_000,
  });
}
