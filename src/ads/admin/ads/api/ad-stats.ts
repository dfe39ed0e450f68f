import { queryOptions } from "@tanstack/react-query";
import { adStats } from "#ads/contract/ads.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";

export const statsDays = 30;

export const statsCsvPath = (id: string) => `/api/ads/${id}/stats.csv?days=${statsDays}`;

export function adStatsQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "ad-stats", id],
    queryFn: ({ signal }) =>
      adminCall(`/api/ads/${id}/stats?days=${statsDays}`, adStats, { signal }),
  });
}
