import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { adList, adPlacements, adTypes } from "#ads/contract/ads.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";
import type { ListParams } from "#web/features/admin/shared/list-params.ts";

const uuid = z.uuid();

export const adPageSize = 20;
export const adListKey = ["admin", "ads"] as const;

/** Returns the filters of the address; invalid values count as absent. */
export function readAdFilters(params: ListParams) {
  const active = params.get("active");
  return {
    search: params.search,
    type: adTypes.find((type) => type === params.get("type")),
    placement: adPlacements.find((placement) => placement === params.get("placement")),
    campaign: uuid.safeParse(params.get("campaign")).data,
    active: active === "true" || active === "false" ? active : undefined,
  };
}

export function adListQuery(filters: ReturnType<typeof readAdFilters>, page: number) {
  return queryOptions({
    queryKey: [...adListKey, filters, page],
    queryFn: ({ signal }) => {
      const range = { limit: adPageSize, offset: (page - 1) * adPageSize };
      return adminCall(`/api/ads${queryString({ ...filters, ...range })}`, adList, { signal });
    },
    placeholderData: keepPreviousData,
  });
}
