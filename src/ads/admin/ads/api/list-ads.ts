import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { adList, adPlacements, adTypes } from "#ads/contract/ads.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";
import type { ListParams } from "#web/features/admin/shared/list-params.ts";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export const adPageSize = 20;
export const adListKey = ["admin", "ads"] as const;

/** Reads the filters from the URL. Ignores invalid values. */
export function readAdFilters(params: ListParams) {
  const active = params.get("active");
  const campaign = params.get("campaign");
  return {
    search: params.search,
    type: adTypes.find((type) => type === params.get("type")),
    placement: adPlacements.find((placement) => placement === params.get("placement")),
    campaign: uuid.test(campaign) ? campaign : undefined,
    active: active === "true" || active === "false" ? active : undefined,
  };
}

export function adListQuery(
  filters: ReturnType<typeof readAdFilters>,
  { page, pageSize }: Pick<ListParams, "page" | "pageSize">,
) {
  return queryOptions({
    queryKey: [...adListKey, filters, page, pageSize],
    queryFn: ({ signal }) => {
      const range = { limit: pageSize, offset: (page - 1) * pageSize };
      return adminCall(`/api/ads${queryString({ ...filters, ...range })}`, adList, { signal });
    },
    placeholderData: keepPreviousData,
  });
}
