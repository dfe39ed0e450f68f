import { queryOptions } from "@tanstack/react-query";
import { labelList, type LabelKind } from "#contract/lists/labels.ts";
import { adminCall } from "../admin-api.ts";

/**
 * Lists all categories, tags or actors by name, for filters and suggestions. Cached for a minute.
 */
export function labelListQuery(kind: LabelKind) {
  return queryOptions({
    queryKey: ["admin", "label list", kind],
    queryFn: () => adminCall(`/api/${kind}`, labelList),
    staleTime: 60_000,
  });
}
