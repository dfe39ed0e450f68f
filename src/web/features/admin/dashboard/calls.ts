import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  adminStatistics,
  adminSystem,
  type StatisticsDays,
} from "#contract/lists/admin-statistics.ts";
import { videoList } from "#contract/videos/videos.ts";
import { adminStats } from "#contract/lists/statistics.ts";
import { adminCall } from "../shared/admin-api.ts";

export const totalsQuery = queryOptions({
  queryKey: ["admin", "stats"],
  queryFn: () => adminCall("/api/admin/stats", adminStats),
});

/** Number of videos that visitors can see, with one of them. */
export const publishedQuery = queryOptions({
  queryKey: ["admin", "published"],
  queryFn: () => adminCall("/api/videos?published=true&limit=1", videoList),
});

export function statisticsQuery(days: StatisticsDays) {
  return queryOptions({
    queryKey: ["admin", "statistics", days],
    queryFn: () => adminCall(`/api/admin/statistics?days=${days}`, adminStatistics),
    placeholderData: keepPreviousData,
  });
}

export const systemKey = ["admin", "system"] as const;

export const systemQuery = queryOptions({
  queryKey: systemKey,
  queryFn: () => adminCall("/api/admin/system", adminSystem),
});
