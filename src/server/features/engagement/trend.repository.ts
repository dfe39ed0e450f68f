import { sql, type RawBuilder } from "kysely";
import type { Trx } from "#server/db/connection.ts";
import { engagementWeight, halfLifeMs, negligibleLog2 } from "./engagement.ts";

/** `engagementPoints` in SQL. The arguments are columns or expressions. */
export function engagementSum(counts: {
  views: RawBuilder<unknown>;
  completed: RawBuilder<unknown>;
  likes: RawBuilder<unknown>;
}): RawBuilder<number> {
  const { view, completed, like } = engagementWeight;
  return sql<number>`(${counts.views} * ${sql.lit(view)} + ${counts.completed} * ${sql.lit(completed)}
    + ${counts.likes} * ${sql.lit(like)})`;
}

/** `addScores` in SQL: adds `score` to the column `trend`. `-Infinity` adds nothing. */
export function addTrend(score: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`case
    when ${score}::float8 = '-Infinity' then trend
    when trend = '-Infinity' then ${score}::float8
    else greatest(trend, ${score}::float8)
      + ln(1 + power(2::float8, -least(abs(trend - ${score}::float8), ${sql.lit(negligibleLog2)}))) / ln(2::float8)
  end`;
}

/** Difference below which the subtraction cancels too many digits to be meaningful. */
const minDifferenceLog2 = 0.001;

/**
 * Returns log2(2^trend - 2^score), to withdraw an event such as a like. Returns `-Infinity` if
 * nothing remains, or too little to compute. Call `recomputeTrend` in that case. A score of
 * `-Infinity` subtracts nothing.
 */
export function subtractTrend(score: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`case
    when ${score}::float8 = '-Infinity' then trend
    when trend = '-Infinity' or trend - ${score}::float8 < ${sql.lit(minDifferenceLog2)} then '-Infinity'::float8
    else trend
      + ln(1 - power(2::float8, -least(trend - ${score}::float8, ${sql.lit(negligibleLog2)}))) / ln(2::float8)
  end`;
}

/**
 * Computes `trend` from the statistics. Treats the events of an hour or day as if they happened in
 * its middle.
 */
export async function recomputeTrend(trx: Trx, videoId: string): Promise<void> {
  const weight = engagementSum({
    views: sql`(s.views - s.unranked_views)`,
    completed: sql`s.completed`,
    likes: sql`s.likes`,
  });
  await sql`
    with events as (
      select ${weight} as weight,
        extract(epoch from s.middle)::float8 * 1000 / ${sql.lit(halfLifeMs)} as at
      from (
        select views, unranked_views, completed, likes, hour + interval '30 minutes' as middle
        from video_stats_hourly where video_id = ${videoId}
        union all
        select views, unranked_views, completed, likes, day + interval '12 hours'
        from video_stats_daily where video_id = ${videoId}
      ) s
    ), latest as (select max(at) as at from events where weight > 0)
    update videos set trend = coalesce((
      select latest.at + ln(sum(e.weight * power(2::float8, greatest(e.at - latest.at, -1000)))) / ln(2::float8)
      from events e, latest where e.weight > 0 group by latest.at), '-Infinity')
    where id = ${videoId}`.execute(trx);
}
