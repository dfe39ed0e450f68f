import type { Sort, TimeRange } from "#contract/limits.ts";
import { positionMax, type RankReason, type RankQuery } from "#contract/videos/rank.ts";
import type { Db } from "#server/db/connection.ts";
import { readSiteTally } from "#server/features/videos/query/tallies.sql.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import {
  engagementPoints,
  engagementWeight,
  pointsAt,
} from "#server/features/engagement/engagement.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { sortRules, rangeHours } from "#server/features/videos/query/list-order.ts";
import { findRank, type RankRow } from "./rank.repository.ts";

const rangeWords = {
  today: "in the last 24 hours",
  week: "in the last 7 days",
  month: "in the last 30 days",
  all: "of all time",
} as const satisfies Record<TimeRange, string>;

export function createRankService(deps: { db: Db; clock: Clock; videos: VideosService }) {
  const { db, clock, videos } = deps;
  return {
    /** @throws AppError not_found for videos that are not listed. */
    async explain(idOrSlug: string, query: RankQuery): Promise<RankReason> {
      noteShown("videos");
      const id = await videos.getId(idOrSlug, { isAdmin: false });
      const sort = query.sort ?? "newest";
      const timeRange = sortRules[sort].rangedBy === null ? null : (query.timeRange ?? null);
      const hours = timeRange === null || timeRange === "all" ? null : rangeHours[timeRange];
      const order = { sort, timeRange: timeRange ?? undefined };
      const [row, site] = await Promise.all([
        findRank(db, id, order, hours, positionMax),
        readSiteTally(db),
      ]);
      // The video was unlisted after its id was read.
      if (row === null) throw new AppError("not_found", "Video not found");
      return {
        sort,
        timeRange,
        position: row.ahead < positionMax ? row.ahead + 1 : null,
        total: site.listed,
        counts: {
          views: row.views,
          completed: row.completed,
          likes: row.likes,
          engagedViewers: row.engaged,
        },
        publishedAt: row.publishedAt.toISOString(),
        reason: reasons[sort](row, timeRange, clock.now()),
      };
    },
  };
}

export type RankService = ReturnType<typeof createRankService>;

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

type Explain = (row: RankRow, range: TimeRange | null, nowMs: number) => string;

const byViews: Explain = ({ views }, range) =>
  `${number.format(views)} ${views === 1 ? "view" : "views"} ${rangeWords[range ?? "all"]}.`;

const reasons: Readonly<Record<Sort, Explain>> = {
  newest: ({ publishedAt }) =>
    `Published on ${publishedAt.toISOString().slice(0, 10)}; the latest come first.`,

  top_rated({ engaged, likes, rating }) {
    const viewers = Math.max(engaged, likes);
    return `${number.format(likes)} of ${number.format(viewers)} who watched it for real liked it: with 95% certainty at least ${number.format(rating * 100)}% do.`;
  },

  most_viewed: byViews,

  trending(row, range, nowMs) {
    if (range === "all") return byViews(row, range, nowMs);
    if (range === null) {
      return `Worth ${number.format(pointsAt(row.trend, nowMs))} points now: a view is 1, a watch to the end 1, a like ${engagementWeight.like}, and each is worth half as much after 24 hours.`;
    }
    const { completed, likes } = row;
    const views = row.views - row.unrankedViews;
    return `${number.format(engagementPoints({ views, completed, likes }))} points ${rangeWords[range]}: ${number.format(views)} views, ${number.format(completed)} watched to the end, ${number.format(likes)} likes at ${engagementWeight.like} points each.`;
  },
};
