import type { Sort, TimeRange } from "../../../contract/limits.ts";
import { positionMax, type RankReason, type RankQuery } from "../../../contract/rank.ts";
import type { Db } from "../../db/connection.ts";
import { readSiteTally } from "../../db/tallies.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { engagementWeight } from "../engagement/engagement.ts";
import { readRank } from "./rank.repository.ts";
import { findVideoRow, type VideoRow } from "../library/videos.repository.ts";

export interface RankService {
  /** @throws AppError not_found for what visitors may not see. */
  explain(idOrSlug: string, query: RankQuery): Promise<RankReason>;
}

const hoursOf = { today: 24, week: 168, month: 720 } as const;
const rangeWords = {
  today: "in the last 24 hours",
  week: "in the last 7 days",
  month: "in the last 30 days",
  all: "of all time",
} as const;
const halfLifeMs = 24 * 3_600_000;

export function createRankService(deps: { db: Db; clock: Clock }): RankService {
  const { db, clock } = deps;
  return {
    async explain(idOrSlug, query) {
      const video = await findVideoRow(db, idOrSlug);
      const publishedAt = video?.published_at ?? null;
      if (video === null || publishedAt === null || !video.is_listed) {
        throw new AppError("not_found", "Video not found");
      }
      const sort = query.sort ?? "newest";
      // Only these two lists know a range.
      const hasRange = sort === "most_viewed" || sort === "trending";
      const timeRange = hasRange ? (query.timeRange ?? null) : null;
      const hours = timeRange === null || timeRange === "all" ? null : hoursOf[timeRange];
      const order = { sort, timeRange: timeRange ?? undefined };
      const [row, site] = await Promise.all([
        readRank(db, video.id, order, hours, positionMax),
        readSiteTally(db),
      ]);
      const counts = {
        views: row.views,
        completed: row.completed,
        likes: row.likes,
        engagedViewers: video.engaged,
      };
      return {
        sort,
        timeRange,
        position: row.ahead < positionMax ? row.ahead + 1 : null,
        total: site.listed,
        counts,
        publishedAt: publishedAt.toISOString(),
        reason: reasonOf(sort, timeRange, counts, video, clock.now()),
      };
    },
  };
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function reasonOf(
  sort: Sort,
  range: TimeRange | null,
  counts: RankReason["counts"],
  video: Pick<VideoRow, "published_at" | "rating" | "trend">,
  now: number,
): string {
  const { views, completed, likes, engagedViewers } = counts;
  if (sort === "newest") {
    const day = video.published_at?.toISOString().slice(0, 10) ?? "";
    return `Published on ${day}; the latest come first.`;
  }
  if (sort === "top_rated") {
    const people = Math.max(engagedViewers, likes);
    return `${number.format(likes)} of ${number.format(people)} who watched it for real liked it: with 95% certainty at least ${number.format(video.rating * 100)}% do.`;
  }
  if (sort === "most_viewed" || range === "all") {
    return `${number.format(views)} views ${rangeWords[range ?? "all"]}.`;
  }
  if (range !== null) {
    const sum =
      views * engagementWeight.view +
      completed * engagementWeight.completed +
      likes * engagementWeight.like;
    return `${number.format(sum)} points ${rangeWords[range]}: ${number.format(views)} views, ${number.format(completed)} watched to the end, ${number.format(likes)} likes at ${engagementWeight.like} points each.`;
  }
  const worth = 2 ** (video.trend - now / halfLifeMs);
  return `Worth ${number.format(worth)} points now: a view is 1, a watch to the end 1, a like ${engagementWeight.like}, and each is worth half as much after 24 hours.`;
}
