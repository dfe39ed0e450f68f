import type { TimeRange } from "#contract/limits.ts";
import type { TrendingStats } from "#contract/lists/statistics.ts";
import type { Db } from "#server/db/connection.ts";
import { readSiteTally } from "#server/features/videos/query/tallies.sql.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { Clock } from "#server/lib/clock.ts";
import * as repository from "./trending.repository.ts";

/** Returns the change in percent with one decimal; 0 if the previous value was 0. */
function growthPercent(now: number, before: number): number {
  if (before <= 0) return 0;
  return Math.round(((now - before) / before) * 1000) / 10;
}

export function createTrendingService(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;

  return {
    async stats(range: TimeRange): Promise<TrendingStats> {
      noteShown("videos");
      const [site, topVideo, sums] = await Promise.all([
        readSiteTally(db),
        repository.findTopVideo(db, range),
        range === "all" ? null : repository.sumRange(db, range),
      ]);
      const totals =
        sums === null
          ? {
              totalViews: site.listedViews,
              totalLikes: site.listedLikes,
              viewsGrowth: null,
              likesGrowth: null,
            }
          : {
              totalViews: sums.current.views,
              totalLikes: sums.current.likes,
              viewsGrowth: growthPercent(sums.current.views, sums.before.views),
              likesGrowth: growthPercent(sums.current.likes, sums.before.likes),
            };
      return {
        stats: { totalVideos: site.listed, ...totals },
        topVideo: topVideo && { ...topVideo, translations: topVideo.translations ?? undefined },
      };
    },

    /** Moves the ranges to the current hour. A second call in the same hour changes nothing. */
    async moveWindow(): Promise<void> {
      await repository.moveRankingWindow(db, clock.date());
    },
  };
}

export type TrendingService = ReturnType<typeof createTrendingService>;
