import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  adList,
  adPlacements,
  adTypes,
  ad,
  adPicture,
  adStats,
  fetchedDocuments,
  type Ad,
  type FetchedDocument,
} from "#ads/contract/ads.ts";
import { campaignList } from "#ads/contract/campaigns.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "#web/features/admin/shared/admin-api.ts";
import type { ListParams } from "#web/features/admin/shared/list-params.ts";
import type { AdInput, AdPatch } from "#ads/contract/ads.input.ts";

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
  { page, pageSize }: ListParams,
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

export const campaignsKey = ["admin", "campaigns"] as const;

export const campaignsQuery = queryOptions({
  queryKey: [...campaignsKey, "list"],
  queryFn: () => adminCall("/api/campaigns", campaignList),
});

const path = (id: string) => `/api/ads/${encodeURIComponent(id)}`;

export const getAd = (id: string): Promise<Ad> => adminCall(path(id), ad);

export const createAd = (body: AdInput): Promise<Ad> =>
  adminCall("/api/ads", ad, { method: "POST", body });

/** @throws ApiError 409 `edit_conflict` if another user has saved since `seen` was loaded. */
export const changeAd = ({ id, version }: Ad, change: AdPatch): Promise<Ad> =>
  adminCall(path(id), ad, { method: "PUT", body: { ...change, version } });

/** @returns the URL of the stored image. */
export const sendAdPicture = async (file: File): Promise<string> =>
  (await adminCall("/api/ads/pictures", adPicture, { method: "POST", body: file })).url;

export const setAdActive = (id: string, isActive: boolean): Promise<Ad> =>
  adminCall(path(id), ad, { method: "PUT", body: { isActive } });

export function deleteAd(id: string): Promise<void> {
  return adminSend(path(id), { method: "DELETE" });
}

export const statsDays = 30;

export const statsCsvPath = (id: string) => `/api/ads/${id}/stats.csv?days=${statsDays}`;

export function adStatsQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "ad-stats", id],
    queryFn: ({ signal }) =>
      adminCall(`/api/ads/${id}/stats?days=${statsDays}`, adStats, { signal }),
  });
}

/** Fetches the tag and its chain through the server. */
export async function fetchTagByServer(url: string): Promise<readonly FetchedDocument[]> {
  const body = { url };
  return (await adminCall("/api/ads/vast-test", fetchedDocuments, { method: "POST", body }))
    .documents;
}
